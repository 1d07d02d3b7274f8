import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { readList } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { List } from '../../kit/list/list.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { type StoredAutomation, toDraft } from './draft.ts'
import { Switch } from './switch.tsx'
import { useSentence } from './words.ts'

const perPage = 30

export function Automations() {
  const slug = useSlug()
  const mayEdit = useMay('editor')
  const search = useSearch({ from: '/signed-in/$slug/marketing/automations' })
  const navigate = useNavigate({ from: '/$slug/marketing/automations' })
  const sentence = useSentence()
  const query = useQuery({
    ...readList('/v1/shops/{slug}/automations', {
      params: { path: { slug }, query: { page: search.page ?? 1, per_page: perPage } },
    }),
    placeholderData: keepPreviousData,
  })
  const create = mayEdit && (
    <ButtonLink variant="primary" icon="plus" to="/$slug/marketing/automations/new" params={{ slug }}>
      {t('automations.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.automations')} lead={t('automations.lead')} actions={create}>
      <List<StoredAutomation>
        label={t('nav.automations')}
        query={query}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        search={search}
        onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
        perPage={perPage}
        empty={
          <Empty title={t('automations.empty')} action={create}>
            {t('automations.empty_text')}
          </Empty>
        }
        columns={[
          {
            name: 'name',
            label: t('automations.name'),
            cell: ({ uuid, name }) => (
              <Link to="/$slug/marketing/automations/$automationId" params={{ slug, automationId: uuid }}>
                {name}
              </Link>
            ),
          },
          { name: 'does', label: t('automations.does'), cell: (automation) => sentence(toDraft(automation)) },
          { name: 'state', label: t('automations.state'), cell: (automation) => <Switch automation={automation} /> },
          {
            name: 'changed',
            label: t('automations.changed'),
            cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
          },
        ]}
      />
    </Page>
  )
}
