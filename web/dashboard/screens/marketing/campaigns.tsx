import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { readList, refreshMs } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Filter } from '../../kit/list/controls.tsx'
import { List } from '../../kit/list/list.tsx'
import type { Column } from '../../kit/list/table.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { campaignsCall, perPage } from './calls.ts'
import { CampaignActions } from './campaign/actions.tsx'
import type { Campaign } from './campaign/draft.ts'
import { type CampaignFigures, clickRate, type OpenTest, useCampaignFigures, useOpenTests } from './campaign/figures.ts'
import { periodOf, StatusBadge } from './campaign/status.tsx'
import { type CampaignSearch, campaignStatuses, promotionTypes } from './search.ts'

export function Campaigns() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/marketing/campaigns' })
  const navigate = useNavigate({ from: '/$slug/marketing/campaigns' })
  const mayEdit = useMay('editor')
  const figures = useCampaignFigures()
  const tests = useOpenTests()
  const list = useQuery({
    ...readList(...campaignsCall(slug, search)),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
  const create = mayEdit && (
    <ButtonLink variant="primary" icon="plus" to="/$slug/marketing/campaigns/$uuid" params={{ slug, uuid: 'new' }}>
      {t('campaigns.new')}
    </ButtonLink>
  )
  const change = (given: CampaignSearch) => navigate({ search: (before) => ({ ...before, ...given }) })
  return (
    <Page title={t('nav.campaigns')} lead={t('campaigns.lead')} actions={create}>
      <List<Campaign>
        label={t('nav.campaigns')}
        query={list}
        columns={columnsFor({ slug, mayEdit, figures, tests })}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        search={search}
        onSearch={(given) => change(given as CampaignSearch)} // its own state with a change
        perPage={perPage}
        searchLabel={t('campaigns.search')}
        filters={<Filters search={search} rows={list.data?.rows ?? []} onChange={change} />}
        empty={
          <Empty title={t('campaigns.empty')} action={create}>
            {t('campaigns.empty_text')}
          </Empty>
        }
      />
    </Page>
  )
}

interface FiltersProps {
  search: CampaignSearch
  rows: readonly Campaign[]
  onChange: (change: CampaignSearch) => void
}

function Filters({ search, rows, onChange }: FiltersProps) {
  const segments = [...new Set([...rows.map(({ segment }) => segment), ...(search.segment ? [search.segment] : [])])]
  return (
    <>
      <Filter
        label={t('campaigns.status')}
        isSingle
        choices={campaignStatuses.map((value) => ({ value, label: t(`campaigns.statuses.${value}`) }))}
        chosen={search.status ? [search.status] : []}
        onChange={([status]) => onChange({ status, page: undefined })}
      />
      <Filter
        label={t('campaigns.type')}
        isSingle
        choices={promotionTypes.map((value) => ({ value, label: t(`campaigns.types.${value}`) }))}
        chosen={search.promotion_type ? [search.promotion_type] : []}
        onChange={([promotion_type]) => onChange({ promotion_type, page: undefined })}
      />
      {segments.length > 1 || search.segment ? (
        <Filter
          label={t('campaigns.segment')}
          isSingle
          choices={segments.toSorted().map((value) => ({ value, label: segmentName(value) }))}
          chosen={search.segment ? [search.segment] : []}
          onChange={([segment]) => onChange({ segment, page: undefined })}
        />
      ) : null}
    </>
  )
}

function segmentName(segment: string): string {
  return segment === 'default' ? t('campaigns.everybody') : segment
}

interface ColumnOptions {
  slug: string
  mayEdit: boolean
  figures: ReadonlyMap<string, CampaignFigures> | undefined
  tests: ReadonlyMap<string, OpenTest>
}

function columnsFor({ slug, mayEdit, figures, tests }: ColumnOptions): Column<Campaign>[] {
  return [
    {
      name: 'name',
      label: t('campaigns.name'),
      isSortable: true,
      cell: ({ uuid, name }) => (
        <div className="stack tight offer-cell">
          <Link to="/$slug/marketing/campaigns/$uuid" params={{ slug, uuid }}>
            {name}
          </Link>
          <TestMark test={tests.get(uuid)} />
        </div>
      ),
    },
    { name: 'status', label: t('campaigns.status'), cell: ({ status }) => <StatusBadge status={status} /> },
    { name: 'segment', label: t('campaigns.segment'), cell: ({ segment }) => segmentName(segment) },
    { name: 'type', label: t('campaigns.type'), cell: (row) => t(`campaigns.types.${row.promotion_type}`) },
    {
      name: 'start_date',
      label: t('campaigns.period'),
      isSortable: true,
      cell: (row) => <span className="period">{periodOf(row)}</span>,
    },
    {
      name: 'clicks',
      label: t('campaigns.clicks'),
      isNumber: true,
      cell: ({ uuid }) => <Figures figures={figures} id={uuid} />,
    },
    ...(mayEdit
      ? [
          {
            name: 'actions',
            label: t('campaigns.actions'),
            cell: (row: Campaign) => <CampaignActions campaign={row} isRow />,
          },
        ]
      : []),
  ]
}

function TestMark({ test }: { test: OpenTest | undefined }) {
  if (test === undefined) return null
  return (
    <span>
      <Badge tone="info">{t('campaigns.in_test', { name: test.name })}</Badge>
    </span>
  )
}

/** Views and clicks of the last 30 days, with the rate if there are enough. */
function Figures({ figures, id }: { figures: ColumnOptions['figures']; id: string }) {
  if (figures === undefined) return <span className="soft">…</span>
  const found = figures.get(id)
  if (found === undefined) return <span className="soft">{t('campaigns.no_views')}</span>
  return (
    <div className="stack tight figure-cell">
      <span>{t('campaigns.clicks_count', { count: found.clicks, shown: formatNumber(found.clicks) })}</span>
      <span className="soft small">{clickRate(found)}</span>
    </div>
  )
}
