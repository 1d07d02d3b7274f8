import { Link } from '@tanstack/react-router'
import { readList } from '../../app/api.ts'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { useSlug } from '../../app/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import type { ListSearch } from '../../kit/list/search.ts'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { type StoredAutomation, toDraft } from './draft.ts'
import { Switch } from './switch.tsx'
import { useSentence } from './words.ts'

const perPage = 30

export const Automations = listScreen<StoredAutomation, ListSearch>({
  title: t('nav.automations'),
  lead: t('automations.lead'),
  useRows: (slug, { page = 1 }) =>
    useListQuery({
      ...readList('/v1/shops/{slug}/automations', { params: { path: { slug }, query: { page, per_page: perPage } } }),
      refetchInterval: false,
    }),
  perPage,
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
  useColumns: ({ slug }) => {
    const sentence = useSentence()
    return [
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
    ]
  },
  create: { needs: 'editor', Button: CreateAutomation },
  empty: { title: t('automations.empty'), text: t('automations.empty_text') },
})

function CreateAutomation() {
  return (
    <ButtonLink variant="primary" icon="plus" to="/$slug/marketing/automations/new" params={{ slug: useSlug() }}>
      {t('automations.new')}
    </ButtonLink>
  )
}
