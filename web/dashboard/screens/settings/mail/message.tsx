import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api, read, refresh } from '../../../app/api.ts'
import { type Language, languageChoices, languageName, pageLanguages } from '../../../app/languages.ts'
import { useSlug } from '../../../app/session.ts'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { SelectField } from '../../../kit/field.tsx'
import { Page } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { Empty, SkeletonBox, SkeletonLines } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { hasText, t } from '../../../texts/texts.ts'
import { EditorPage } from '../../marketing/editor-page.tsx'
import { useEditor } from '../../marketing/use-editor.ts'
import { useShopLanguage } from '../../marketing/use-shop-language.ts'
import { BlockOrder } from './block-order.tsx'
import { bodyOf, checkDraft, draftOf, textNames } from './draft.ts'
import { MailPreview } from './preview.tsx'
import { TestMessage } from './test-message.tsx'
import { TextFields } from './text-fields.tsx'
import { type Group, type Limits, listPath, type MailTemplate, type Sample, templatePath } from './words.ts'

/** The editor of one message in one language. */
export function MailMessage() {
  const slug = useSlug()
  const { group: name } = useParams({ from: '/signed-in/$slug/settings/mail/$group' })
  const search = useSearch({ from: '/signed-in/$slug/settings/mail/$group' })
  const shop = useShopLanguage()
  const language = pageLanguages.find((one) => one === search.language) ?? shop.language
  const isKnown = hasText(`mail.group.${name}.name`)
  const group = name as Group // asked for only if it is one
  const list = useQuery(read(listPath, { params: { path: { slug } } }))
  const query = useQuery({
    ...read(templatePath, { params: { path: { slug, group, language: language ?? 'en' } } }),
    enabled: isKnown && language !== undefined,
  })
  const error = shop.error ?? list.error ?? query.error
  if (query.data && list.data && language) {
    return (
      <MessageEditor
        key={`${group} ${language}`}
        stored={query.data}
        limits={list.data.limits}
        samples={list.data.samples}
      />
    )
  }
  return (
    <Page title={isKnown ? t(`mail.group.${group}.name`) : t('mail.messages')} back={<Back />}>
      {!isKnown ? (
        <Empty title={t('problem.no_page')}>{t('problem.no_page_text')}</Empty>
      ) : error ? (
        <Problem
          error={error}
          retry={() => {
            void list.refetch()
            void query.refetch()
          }}
        />
      ) : (
        <>
          <SkeletonLines />
          <SkeletonBox rows={6} />
        </>
      )}
    </Page>
  )
}

function Back() {
  const slug = useSlug()
  return (
    <Link to="/$slug/settings/mail" params={{ slug }}>
      {t('mail.back')}
    </Link>
  )
}

interface EditorProps {
  stored: MailTemplate
  limits: Limits
  samples: readonly Sample[]
}

function MessageEditor({ stored, limits, samples }: EditorProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [isTesting, setTesting] = useState(false)
  const { group, language, ours, variables } = stored
  const path = { slug, group, language }
  const beginning = useMemo(() => draftOf(stored), [stored])
  const changed = () => refresh(queryClient, listPath)
  const editor = useEditor({
    stored: beginning,
    check: (draft) => checkDraft(draft, limits, variables),
    save: (draft) => api.put(templatePath, { params: { path }, body: bodyOf(draft, ours.blocks) }),
    onSaved: async () => {
      await changed()
      toasts.done(t('mail.saved'))
    },
  })
  const restore = useMutation({
    mutationFn: (template: MailTemplate['template']) => api.put(templatePath, { params: { path }, body: template }),
    onSuccess: changed,
    onError: toasts.failed,
  })
  const remove = useMutation({
    mutationFn: async () => {
      await api.delete(templatePath, { params: { path } })
      return stored.template
    },
    onSuccess: async (before) => {
      await changed()
      editor.draft.reset()
      toasts.done(t('mail.returned'), () => restore.mutate(before))
    },
    onError: toasts.failed,
  })
  const { value, set } = editor.draft
  const isValid = Object.keys(editor.problems).length === 0
  const isChanged = stored.updated_at !== null
  const labels = Object.fromEntries([...textNames, 'blocks' as const].map((name) => [name, t(`mail.${name}`)]))
  return (
    <EditorPage
      title={t(`mail.group.${group}.name`)}
      aside={<Badge tone={isChanged ? 'info' : 'neutral'}>{isChanged ? t('mail.changed') : t('mail.ours')}</Badge>}
      back={<Back />}
      actions={
        <>
          {isChanged && (
            <Button icon="undo" isBusy={remove.isPending} onClick={() => remove.mutate()}>
              {t('mail.return_to_ours')}
            </Button>
          )}
          <Button icon="send" onClick={() => setTesting(true)}>
            {t('mail.test')}
          </Button>
        </>
      }
      editor={editor}
      labels={labels}
      notice={<MessageHead stored={stored} />}
      action={t('kit.save')}
      preview={
        <MailPreview
          group={group}
          language={language}
          template={isValid ? bodyOf(value, ours.blocks) : undefined}
          samples={samples}
        />
      }
    >
      <TextFields editor={editor} stored={stored} limits={limits} />
      <BlockOrder
        blocks={value.blocks}
        required={stored.required_blocks}
        ours={ours.blocks}
        error={editor.errorOf('blocks')}
        onChange={(blocks) => set({ blocks })}
      />
      {isTesting && (
        <TestMessage
          group={group}
          language={language}
          template={isValid ? bodyOf(value, ours.blocks) : undefined}
          onClose={() => setTesting(false)}
        />
      )}
    </EditorPage>
  )
}

/** The head of a message: when it is sent, and its languages, with a mark on the changed ones. */
function MessageHead({ stored: { group, language, changed_languages } }: { stored: MailTemplate }) {
  const navigate = useNavigate()
  const choose = (chosen: Language) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, language: chosen }) as never }) // read by search.ts
  const choices = languageChoices().map(({ value, label }) => ({
    value,
    label: changed_languages.includes(value) ? t('mail.language_changed', { language: label }) : label,
  }))
  const others = changed_languages.filter((other) => other !== language)
  return (
    <div className="row apart mail-head">
      <p className="soft">{t(`mail.group.${group}.when`)}</p>
      <div className="row">
        {others.map((other) => (
          <Button key={other} variant="quiet" isSmall onClick={() => choose(other)}>
            {languageName(other)}
          </Button>
        ))}
        <SelectField label={t('mail.language')} isLabelHidden value={language} choices={choices} onChange={choose} />
      </div>
    </div>
  )
}
