import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { api, readList, refresh, refreshMs } from '../../app/api.ts'
import { languageChoices, languageName, languageTag, pageLanguages } from '../../app/languages.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Filter } from '../../kit/list/controls.tsx'
import { List } from '../../kit/list/list.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import type { AnnouncementSearch } from './search.ts'

type Announcement = Schemas['Announcement']

const perPage = 30
const listPath = '/v1/shops/{slug}/lists/announcements'

/** The sentences at the top of every tracking page, per language. */
export function Announcements() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/marketing/announcements' })
  const navigate = useNavigate({ from: '/$slug/marketing/announcements' })
  const mayEdit = useMay('editor')
  const remove = useRemove()
  const language = pageLanguages.find((one) => one === search.language)
  const { columns: _columns, ...query } = search
  const list = useQuery({
    ...readList(listPath, { params: { path: { slug }, query: { ...query, language, per_page: perPage } } }),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
  const change = (given: AnnouncementSearch) => navigate({ search: (before) => ({ ...before, ...given }) })
  const create = mayEdit && (
    <ButtonLink variant="primary" icon="plus" to="/$slug/marketing/announcements/$uuid" params={{ slug, uuid: 'new' }}>
      {t('announcements.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.announcements')} lead={t('announcements.lead')} actions={create}>
      <List<Announcement>
        label={t('nav.announcements')}
        query={list}
        keyOf={({ uuid }) => uuid}
        nameOf={({ text }) => text}
        search={search}
        onSearch={(given) => change(given as AnnouncementSearch)} // its own state with a change
        perPage={perPage}
        usualSort="-created_at"
        searchLabel={t('announcements.search')}
        filters={
          <Filter
            label={t('announcements.language')}
            isSingle
            choices={languageChoices()}
            chosen={language ? [language] : []}
            onChange={([chosen]) => change({ language: chosen, page: undefined })}
          />
        }
        empty={
          <Empty title={t('announcements.empty')} action={create}>
            {t('announcements.empty_text')}
          </Empty>
        }
        columns={[
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
        ]}
      />
    </Page>
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
