import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api, type Reply } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { saveCsv } from '../../kit/csv.ts'
import { formatDate, formatNumber } from '../../kit/format.ts'
import { Filter } from '../../kit/list/controls.tsx'
import { Table } from '../../kit/list/table.tsx'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonBox } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { filtersOf } from './calls.ts'
import { Filters } from './controls.tsx'
import { columnsFor, csvOfParcel } from './parcel-columns.tsx'
import { outcomes, type ParcelsSearch } from './search.ts'
import { measureOf } from './times.ts'

type Parcels = Reply<'/v1/shops/{slug}/analytics/delivery-times/parcels'>

const path = '/v1/shops/{slug}/analytics/delivery-times/parcels'
const perPage = 50

/** The parcels behind a figure: exactly those that it counts. */
export function PerformanceParcels() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/performance/parcels' })
  const navigate = useNavigate({ from: '/$slug/performance/parcels' })
  const list = useParcels(slug, search)
  const [first] = list.data?.pages ?? []
  const parcels = list.data?.pages.flatMap((page) => page.parcels) ?? []
  const change = (given: ParcelsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...given }), resetScroll: false })
  const { outcome, week, columns: _columns, ...scope } = search
  return (
    <Page
      title={t(`performance.outcome.${outcome ?? 'all'}`)}
      aside={first && <span className="soft">{t('performance.count', { count: first.total })}</span>}
      lead={week ? t('performance.week_of', { week: formatDate(`${week}T12:00:00`) }) : undefined}
      back={
        <Link to="/$slug/performance" params={{ slug }} search={scope}>
          {t('performance.title')}
        </Link>
      }
      actions={
        parcels.length > 0 && (
          <Button icon="download" onClick={() => saveCsv(`${slug}-delivered-parcels.csv`, parcels.map(csvOfParcel))}>
            {t('performance.csv')}
          </Button>
        )
      }
    >
      <div className="row filters">
        <Filter
          label={t('performance.outcome_filter')}
          isSingle
          choices={outcomes.map((value) => ({ value, label: t(`performance.outcome.${value}`) }))}
          chosen={outcome ? [outcome] : []}
          onChange={([outcome]) => change({ outcome })}
        />
        {week && (
          <Filter
            label={t('performance.week')}
            isSingle
            choices={[{ value: week, label: formatDate(`${week}T12:00:00`) }]}
            chosen={[week]}
            onChange={([week]) => change({ week })}
          />
        )}
        <Filters search={scope} onChange={change} />
      </div>
      {list.isError && parcels.length === 0 && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <SkeletonBox rows={6} />}
      {first && first.total === 0 && (
        <Empty title={t('performance.no_parcels')}>{t('performance.no_parcels_text')}</Empty>
      )}
      {first && first.total > 0 && (
        <section className="list" aria-label={t('performance.parcels')}>
          <Table
            label={t('performance.parcels')}
            columns={columnsFor(slug, measureOf(scope))}
            rows={parcels}
            keyOf={({ shipment_id }) => shipment_id}
            nameOf={({ order_number }) => order_number}
          />
          <div className="row apart">
            <p className="soft number">
              {t('performance.shown', { shown: formatNumber(parcels.length), total: formatNumber(first.total) })}
            </p>
            {list.hasNextPage && (
              <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {t('performance.more')}
              </Button>
            )}
          </div>
        </section>
      )}
    </Page>
  )
}

function useParcels(slug: string, search: ParcelsSearch) {
  const query = { ...filtersOf(search), week: search.week, outcome: search.outcome, per_page: perPage }
  return useInfiniteQuery({
    queryKey: [path, slug, query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }): Promise<Parcels> =>
      api.get(path, { params: { path: { slug }, query: { ...query, cursor: pageParam } }, signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}
