import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMay, useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { choicesOf, type ListFilter, one } from '../../kit/list/filters.ts'
import { List, type ListResult } from '../../kit/list/list.tsx'
import type { Column } from '../../kit/list/table.tsx'
import { Empty } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { wordOf } from '../orders/words.ts'
import { BulkDecisions } from './bulk.tsx'
import { perPage } from './calls.ts'
import { PendingDecision } from './pending.tsx'
import { picturesOf } from './pictures.ts'
import type { Claim } from './query.ts'
import { type ClaimSearch, kinds, reasons, views } from './search.ts'
import { StatusBadge } from './status.tsx'
import { titleOf } from './withdrawal.tsx'

interface QueueProps {
  list: UseQueryResult<ListResult<Claim>>
  search: ClaimSearch
  openId: string | undefined
}

export function Queue({ list, search, openId }: QueueProps) {
  const slug = useSlug()
  const mayAct = useMay('editor')
  const navigate = useNavigate()
  // Another list, so no claim of it is open.
  const change = (given: ClaimSearch) =>
    navigate({ to: '/$slug/claims', params: { slug }, search: { ...search, ...given } })
  const rows = list.data?.rows ?? []
  const column: Column<Claim> = {
    name: 'claim',
    label: t('claims.claim'),
    cell: (claim) => <QueueRow claim={claim} search={search} isOpen={claim.uuid === openId} mayAct={mayAct} />,
  }
  return (
    <List
      label={t('claims.title')}
      query={list}
      columns={[column]}
      keyOf={({ uuid }) => uuid}
      nameOf={({ order_number }) => t('claims.claim_of', { number: order_number })}
      search={search}
      onSearch={(given) => void change(given)}
      perPage={perPage}
      searchLabel={t('claims.search')}
      filters={filtersOf(search)}
      bulk={
        mayAct
          ? (keys, clear) => <BulkDecisions claims={rows.filter(({ uuid }) => keys.includes(uuid))} onDone={clear} />
          : undefined
      }
      empty={<Empty title={t('claims.empty')}>{t('claims.empty_text')}</Empty>}
    />
  )
}

interface QueueRowProps {
  claim: Claim
  search: ClaimSearch
  isOpen: boolean
  mayAct: boolean
}

function QueueRow({ claim, search, isOpen, mayAct }: QueueRowProps) {
  const slug = useSlug()
  const [picture] = picturesOf(claim).filter(({ isOwn }) => isOwn)
  return (
    <div className="claim-row">
      <div className="stack claim-row-words">
        <span className="row tight apart">
          <Link
            to="/$slug/claims/$uuid"
            params={{ slug, uuid: claim.uuid }}
            search={search}
            resetScroll={false}
            aria-current={isOpen ? 'true' : undefined}
          >
            {titleOf(claim)}
          </Link>
          {claim.withdrawal?.is_late && <Badge tone="late">{t('claims.withdrawal.late')}</Badge>}
          {claim.status !== 'pending' && <StatusBadge status={claim.status} />}
        </span>
        <span>{claim.customer_name ?? t('claims.no_customer')}</span>
        <span className="soft small">
          {[claim.order_number, claim.carrier_name].filter(Boolean).join(' · ')} ·{' '}
          <RelativeTime at={claim.created_at} />
        </span>
        <PendingDecision claim={claim} mayAct={mayAct} />
      </div>
      {picture && <img className="claim-thumbnail" src={picture.url} alt="" loading="lazy" decoding="async" />}
    </div>
  )
}

function filtersOf(search: ClaimSearch): ListFilter<ClaimSearch>[] {
  return [
    one(
      search,
      'view',
      t('claims.status'),
      choicesOf(views, (value) => (value === 'all' ? t('claims.all') : wordOf('claim_status', value))),
    ),
    one(
      search,
      'reason',
      t('claims.reason'),
      choicesOf(reasons, (value) => wordOf('claim_reason', value)),
    ),
    one(
      search,
      'kind',
      t('claims.kind'),
      choicesOf(kinds, (value) => t(`claims.kinds.${value}`)),
    ),
  ]
}
