import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { api, readList, refresh } from '../../app/api.ts'
import { languageChoices, languageName, languageTag, pageLanguages } from '../../app/languages.ts'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { useMay, useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { one } from '../../kit/list/filters.ts'
import { RelativeTime } from '../../kit/time.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import type { AnnouncementSearch } from './search.ts'

type Announcement = Schemas['Announcement']

const perPage = 30
const listPath = '/v1/shops/{slug}/lists/announcements'

/** The sentences at the top of every tracking page, per language. */
export const Announcements = listScreen<Announcement, AnnouncementSearch>({
  title: t('nav.announcements'),
  lead: t('announcements.lead'),
  useRows: (slug, { columns: _columns, ...search }) => {
    const language = pageLanguages.find((one) => one === search.language)
    const query = { ...search, language, per_page: perPage }
    return useListQuery(readList(listPath, { params: { path: { slug }, query } }))
  },
  perPage,
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ text }) => text,
  useColumns: ({ slug }) => {
    const mayEdit = useMay('editor')
    const remove = useRemove()
    return [
      {
        name: 'text',
        label: t('announcements.text'),
        isSortable: true,
        cell: (row) => (
          <Link
            to="/$slug/marketing/announcements/$uuid"
            params={{ slug, uuid: row.uuid }}
            lang={languageTag(row.language)}
            className="offer-text"
          >
            {row.text}
          </Link>
        ),
      },
      {
        name: 'language',
        label: t('announcements.language'),
        isSortable: true,
        cell: (row) => languageName(row.language),
      },
      {
        name: 'created_at',
        label: t('announcements.since'),
        isSortable: true,
        cell: ({ created_at }) => <RelativeTime at={created_at} />,
      },
      ...(mayEdit
        ? [
            {
              name: 'actions',
              label: t('campaigns.actions'),
              cell: (row: Announcement) => (
                <Button variant="quiet" isSmall isIconOnly icon="trash" onClick={() => remove.mutate(row)}>
                  {t('announcements.delete_one', { text: row.text })}
                </Button>
              ),
            },
          ]
        : []),
    ]
  },
  useFilters: ({ search }) => [one(search, 'language', t('announcements.language'), languageChoices())],
  usualSort: '-created_at',
  searchLabel: t('announcements.search'),
  create: { needs: 'editor', Button: CreateAnnouncement },
  empty: { title: t('announcements.empty'), text: t('announcements.empty_text') },
})

function CreateAnnouncement() {
  return (
    <ButtonLink
      variant="primary"
      icon="plus"
      to="/$slug/marketing/announcements/$uuid"
      params={{ slug: useSlug(), uuid: 'new' }}
    >
      {t('announcements.new')}
    </ButtonLink>
  )
}

/** Deletes without asking: undo writes the same text again. */
function useRemove() {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const path = '/v1/shops/{slug}/announcements'
  const restore = async ({ text, language }: Announcement) => {
    await api.post(path, { params: { path: { slug } }, body: { text, language } })
    await refresh(queryClient, listPath)
  }
  return useMutation({
    mutationFn: ({ uuid }: Announcement) => api.delete(`${path}/{uuid}`, { params: { path: { slug, uuid } } }),
    onSuccess: async (_deleted, row) => {
      toasts.done(t('announcements.deleted'), () => void restore(row).catch(toasts.failed))
      await refresh(queryClient, listPath)
    },
    onError: toasts.failed,
  })
}
