import type { ReactNode } from 'react'
import { useMay } from '../../app/session.ts'
import { type Draft, Form, SaveBar } from '../../kit/form.tsx'
import { Page } from '../../kit/page.tsx'
import { t } from '../../texts/texts.ts'
import type { Editor } from './use-editor.ts'

interface EditorPageProps {
  title: string
  aside?: ReactNode
  back: ReactNode
  actions?: ReactNode
  editor: Pick<Editor<object>, 'reported' | 'submit' | 'isBusy'> & { draft: Pick<Draft<object>, 'isChanged' | 'reset'> }
  /** The labels of fields, for the summary of problems. */
  labels: Record<string, string>
  /** Above everything, such as a conflict with another record. */
  notice?: ReactNode
  preview: ReactNode
  /** The words on the button that saves. */
  action: string
  /** It can be saved as it is. */
  isUnsaved?: boolean
  children: ReactNode
}

/** Fields on the left, the tracking page with the draft on the right. */
export function EditorPage(props: EditorPageProps) {
  const { title, aside, back, actions, editor, labels, notice, preview, action, isUnsaved = false, children } = props
  const mayEdit = useMay('editor')
  const draft = { ...editor.draft, isChanged: editor.draft.isChanged || isUnsaved }
  return (
    <Page
      title={title}
      aside={aside}
      back={back}
      lead={mayEdit ? undefined : t('offers.read_only')}
      actions={mayEdit ? actions : undefined}
    >
      <Form problems={editor.reported} labels={labels} onSubmit={editor.submit}>
        {notice}
        <div className="offer-editor">
          <fieldset className="stack loose" disabled={!mayEdit}>
            <legend className="unseen">{title}</legend>
            {children}
          </fieldset>
          {preview}
        </div>
        {mayEdit && <SaveBar draft={draft} isBusy={editor.isBusy} action={action} />}
      </Form>
    </Page>
  )
}
