import { Link } from '@tanstack/react-router'
import { readList } from '../../app/api.ts'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { useMay, useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { formatNumber } from '../../kit/format.ts'
import { choicesOf, one } from '../../kit/list/filters.ts'
import type { Column } from '../../kit/list/table.tsx'
import { t } from '../../texts/texts.ts'
import { campaignsCall, perPage } from './calls.ts'
import { CampaignActions } from './campaign/actions.tsx'
import type { Campaign } from './campaign/draft.ts'
import { type CampaignFigures, clickRate, type OpenTest, useCampaignFigures, useOpenTests } from './campaign/figures.ts'
import { periodOf, StatusBadge } from './campaign/status.tsx'
import { type CampaignSearch, campaignStatuses, promotionTypes } from './search.ts'

export const Campaigns = listScreen<Campaign, CampaignSearch>({
  title: t('nav.campaigns'),
  lead: t('campaigns.lead'),
  useRows: (slug, search) => useListQuery(readList(...campaignsCall(slug, search))),
  perPage,
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
  useColumns: ({ slug }) =>
    columnsFor({ slug, mayEdit: useMay('editor'), figures: useCampaignFigures(), tests: useOpenTests() }),
  useFilters: ({ search, rows }) => {
    const segments = [...new Set([...rows.map(({ segment }) => segment), ...(search.segment ? [search.segment] : [])])]
    const bySegment = one(search, 'segment', t('campaigns.segment'), choicesOf(segments.toSorted(), segmentName))
    return [
      one(
        search,
        'status',
        t('campaigns.status'),
        choicesOf(campaignStatuses, (value) => t(`campaigns.statuses.${value}`)),
      ),
      one(
        search,
        'promotion_type',
        t('campaigns.type'),
        choicesOf(promotionTypes, (value) => t(`campaigns.types.${value}`)),
      ),
      ...(segments.length > 1 || search.segment ? [bySegment] : []),
    ]
  },
  searchLabel: t('campaigns.search'),
  create: { needs: 'editor', Button: CreateCampaign },
  empty: { title: t('campaigns.empty'), text: t('campaigns.empty_text') },
})

function CreateCampaign() {
  return (
    <ButtonLink
      variant="primary"
      icon="plus"
      to="/$slug/marketing/campaigns/$uuid"
      params={{ slug: useSlug(), uuid: 'new' }}
    >
      {t('campaigns.new')}
    </ButtonLink>
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
