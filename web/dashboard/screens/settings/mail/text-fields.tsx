import { type Language, languageTag } from '../../../app/languages.ts'
import { Button } from '../../../kit/button.tsx'
import { TextArea, TextField } from '../../../kit/field.tsx'
import { Card } from '../../../kit/page.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import type { Editor } from '../../marketing/use-editor.ts'
import type { TemplateDraft, TextName } from './draft.ts'
import type { Limits, MailTemplate, Variable } from './words.ts'

interface TextFieldsProps {
  editor: Editor<TemplateDraft>
  stored: MailTemplate
  limits: Limits
}

/** The words of a message. Our own stand in the empty fields. */
export function TextFields({ editor, stored, limits }: TextFieldsProps) {
  const { language, ours, variables } = stored
  const fieldOf = (name: TextName) => ({
    name,
    editor,
    language,
    limit: limits[name],
    ours: name === 'footer' ? undefined : ours[name],
  })
  return (
    <>
      <Card title={t('mail.words')}>
        <WordsField {...fieldOf('subject')} />
        <WordsField {...fieldOf('preheader')} help={t('mail.preheader_help')} />
        <WordsField {...fieldOf('heading')} />
        <WordsField {...fieldOf('introduction')} rows={6} help={t('mail.introduction_help')} />
        <WordsField {...fieldOf('footer')} rows={3} help={t('mail.footer_help')} />
      </Card>
      <Variables variables={variables} />
    </>
  )
}

interface WordsFieldProps {
  name: TextName
  editor: Editor<TemplateDraft>
  language: Language
  limit: number
  /** The text of the message if the field stays empty. */
  ours: string | undefined
  help?: string
  /** Several lines; absent: one. */
  rows?: number
}

function WordsField({ name, editor, language, limit, ours, help, rows }: WordsFieldProps) {
  const { value, set } = editor.draft
  const label = t(`mail.${name}`)
  const text = value[name]
  const isOwn = text.trim() !== ''
  const shared = {
    label,
    lang: languageTag(language),
    maxLength: limit,
    placeholder: ours,
    value: text,
    error: editor.errorOf(name),
    onBlur: () => editor.visit(name),
    onChange: (words: string) => set({ [name]: words }),
    help: (
      <>
        {help}
        {isOwn && ours !== undefined && (
          <span className="mail-ours" lang={languageTag(language)}>
            {t('mail.our_words', { text: ours })}
          </span>
        )}
      </>
    ),
  }
  return (
    <div className="stack tight">
      {rows === undefined ? <TextField {...shared} /> : <TextArea {...shared} rows={rows} />}
      {!isOwn && ours && (
        <div className="mail-start">
          <Button
            variant="quiet"
            isSmall
            aria-label={t('mail.start_from_ours_of', { field: label })}
            onClick={() => set({ [name]: ours })}
          >
            {t('mail.start_from_ours')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Variables({ variables }: { variables: readonly Variable[] }) {
  const toasts = useToasts()
  const copy = async (variable: Variable) => {
    await navigator.clipboard.writeText(`{${variable}}`)
    toasts.done(t('mail.variable_copied', { name: `{${variable}}` }))
  }
  return (
    <Card title={t('mail.variables')}>
      <p className="soft">{t('mail.variables_lead')}</p>
      <ul className="mail-variables">
        {variables.map((variable) => (
          <li key={variable} className="row apart">
            <span className="row">
              <code>{`{${variable}}`}</code>
              <span className="soft">{t(`mail.variable.${variable}`)}</span>
            </span>
            <Button variant="quiet" icon="copy" isIconOnly isSmall onClick={() => void copy(variable)}>
              {t('mail.copy_variable', { name: `{${variable}}` })}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
