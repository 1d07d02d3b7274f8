import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useMemo, useState } from 'react'
import { api, readList, refresh } from '../../app/api.ts'
import { type Language, languageChoices, languageTag } from '../../app/languages.ts'
import { PagePreview } from '../../app/page-preview.tsx'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextArea } from '../../kit/field.tsx'
import { Card } from '../../kit/page.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { Checks } from './checks.ts'
import { ConflictBanner } from './conflict-banner.tsx'
import { EditorPage } from './editor-page.tsx'
import { RemoveRecord } from './remove-record.tsx'
import { StoredRecord } from './stored-record.tsx'
import { type Problems, useEditor } from './use-editor.ts'
import { useShopLanguage } from './use-shop-language.ts'

type AnnouncementRecord = Schemas['Announcement']

const path = '/v1/shops/{slug}/announcements'
const listPath = '/v1/shops/{slug}/lists/announcements'
const maxLength = 1_000

interface AnnouncementDraft {
  text: string
  language: Language
}

/** The editor of an announcement, new or stored. */
export function Announcement() {
  const slug = useSlug()
  const { uuid } = useParams({ from: '/signed-in/$slug/marketing/announcements/$uuid' })
  const isNew = uuid === 'new'
  const shop = useShopLanguage()
  const query = useQuery({
    ...readList(listPath, { params: { path: { slug }, query: { uuid } } }),
    enabled: !isNew,
  })
  return (
    <StoredRecord
      title={t('announcements.announcement')}
      back={<Back />}
      isNew={isNew}
      query={query}
      error={shop.error}
      isReady={shop.language !== undefined}
    >
      {(stored) => <AnnouncementEditor key={uuid} stored={stored} shopLanguage={shop.language ?? 'en'} />}
    </StoredRecord>
  )
}

function Back() {
  const slug = useSlug()
  return (
    <Link to="/$slug/marketing/announcements" params={{ slug }}>
      {t('nav.announcements')}
    </Link>
  )
}

function check({ text }: AnnouncementDraft): Problems {
  const checks = new Checks()
  checks.required('text', text)
  checks.length('text', text, maxLength)
  return checks.problems
}

interface EditorProps {
  stored: AnnouncementRecord | undefined
  shopLanguage: Language
}

function AnnouncementEditor({ stored, shopLanguage }: EditorProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [isDeleting, setDeleting] = useState(false)
  const leave = () => navigate({ to: '/$slug/marketing/announcements', params: { slug }, ignoreBlocker: true })
  const beginning = useMemo(
    (): AnnouncementDraft => ({ text: stored?.text ?? '', language: stored?.language ?? shopLanguage }),
    [stored, shopLanguage],
  )
  const [language, setLanguage] = useState(beginning.language)
  const editor = useEditor({
    stored: beginning,
    check,
    save: (body) =>
      stored
        ? api.patch(`${path}/{uuid}`, { params: { path: { slug, uuid: stored.uuid } }, body })
        : api.post(path, { params: { path: { slug } }, body }),
    onSaved: async () => {
      await refresh(queryClient, listPath)
      toasts.done(t(stored ? 'kit.saved' : 'announcements.created'))
      if (!stored) await leave()
    },
  })
  const { value, set } = editor.draft
  return (
    <EditorPage
      title={stored ? t('announcements.announcement') : t('announcements.new')}
      back={<Back />}
      actions={
        stored && (
          <Button icon="trash" onClick={() => setDeleting(true)}>
            {t('offers.delete')}
          </Button>
        )
      }
      editor={editor}
      labels={{ text: t('announcements.text'), language: t('announcements.language') }}
      notice={<ConflictBanner error={editor.conflict} />}
      action={stored ? t('kit.save') : t('announcements.create')}
      preview={
        <PagePreview
          draft={editor.problems.text ? undefined : { announcements: [value] }}
          language={language}
          onLanguage={setLanguage}
          part=".notes"
        />
      }
    >
      <Card>
        <SelectField
          label={t('announcements.language')}
          help={t('announcements.language_help')}
          value={value.language}
          choices={languageChoices()}
          onChange={(chosen) => {
            set({ language: chosen })
            setLanguage(chosen)
          }}
        />
        <TextArea
          label={t('announcements.text')}
          help={t('announcements.text_help')}
          lang={languageTag(value.language)}
          maxLength={maxLength}
          required
          value={value.text}
          error={editor.errorOf('text')}
          onBlur={() => editor.visit('text')}
          onChange={(text) => set({ text })}
        />
      </Card>
      {isDeleting && stored && (
        <DeleteAnnouncement announcement={stored} leave={leave} onClose={() => setDeleting(false)} />
      )}
    </EditorPage>
  )
}

interface DeleteAnnouncementProps {
  announcement: AnnouncementRecord
  leave: () => Promise<unknown>
  onClose: () => void
}

export function DeleteAnnouncement({ announcement: { uuid }, leave, onClose }: DeleteAnnouncementProps) {
  const slug = useSlug()
  return (
    <RemoveRecord
      title={t('announcements.delete_title')}
      done={t('announcements.deleted')}
      remove={() => api.delete(`${path}/{uuid}`, { params: { path: { slug, uuid } } })}
      leave={leave}
      path={listPath}
      onClose={onClose}
    >
      <p>{t('announcements.delete_text')}</p>
    </RemoveRecord>
  )
}
