import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, readList, refresh, refreshMs } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { formatNumber } from '../../kit/format.ts'
import { List } from '../../kit/list/list.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { dealsCall, perPage } from './calls.ts'
import type { Deal } from './deal/draft.ts'
import { DeleteDeal, dealName, shownDeals } from './deal/remove.tsx'
import { discountName } from './discount-words.ts'

const path = '/v1/shops/{slug}/deals'

/** The deals on every tracking page, in the order in which customers see them. */
export function Deals() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/marketing/deals' })
  const navigate = useNavigate({ from: '/$slug/marketing/deals' })
  const mayEdit = useMay('editor')
  const [deleted, setDeleted] = useState<Deal>()
  const list = useQuery({
    ...readList(...dealsCall(slug, search)),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
  const create = mayEdit && (
    <ButtonLink variant="primary" icon="plus" to="/$slug/marketing/deals/$uuid" params={{ slug, uuid: 'new' }}>
      {t('deals.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.deals')} lead={t('deals.lead', { count: shownDeals })} actions={create}>
      <List<Deal>
        label={t('nav.deals')}
        query={list}
        // A deal that moved is another row: rows that stay keep their place while the list refreshes.
        keyOf={({ uuid, rank }) => `${rank} ${uuid}`}
        nameOf={dealName}
        search={search}
        onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
        perPage={perPage}
        searchLabel={t('deals.search')}
        empty={
          <Empty title={t('deals.empty')} action={create}>
            {t('deals.empty_text')}
          </Empty>
        }
        columns={[
          {
            name: 'title',
            label: t('deals.deal'),
            cell: (row) => (
              <Link to="/$slug/marketing/deals/$uuid" params={{ slug, uuid: row.uuid }} className="offer-text">
                {dealName(row)}
              </Link>
            ),
          },
          {
            name: 'rank',
            label: t('deals.rank'),
            cell: ({ rank }) =>
              rank <= shownDeals ? formatNumber(rank) : t('deals.rank_hidden', { rank: formatNumber(rank) }),
          },
          { name: 'discount', label: t('deals.discount'), cell: ({ discount }) => discountName(discount) },
          ...(mayEdit
            ? [
                {
                  name: 'actions',
                  label: t('campaigns.actions'),
                  cell: (row: Deal) => <Actions deal={row} total={list.data?.total} onDelete={() => setDeleted(row)} />,
                },
              ]
            : []),
        ]}
      />
      {deleted && <DeleteDeal deal={deleted} leave={async () => undefined} onClose={() => setDeleted(undefined)} />}
    </Page>
  )
}

interface ActionsProps {
  deal: Deal
  total: number | undefined
  onDelete: () => void
}

function Actions({ deal, total, onDelete }: ActionsProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const name = dealName(deal)
  const send = async (rank: number) => {
    await api.put(`${path}/{deal_id}/rank`, { params: { path: { slug, deal_id: deal.uuid } }, body: { rank } })
    await refresh(queryClient, path)
  }
  const move = useMutation({
    mutationFn: send,
    onSuccess: (_moved, rank) =>
      toasts.done(t('deals.moved', { name, rank }), () => void send(deal.rank).catch(toasts.failed)),
    onError: toasts.failed,
  })
  const icon = { variant: 'quiet', isSmall: true, isIconOnly: true } as const
  return (
    <div className="row tight nowrap-row">
      <Button {...icon} icon="up" disabled={deal.rank === 1} onClick={() => move.mutate(deal.rank - 1)}>
        {t('campaigns.move_up', { name })}
      </Button>
      <Button {...icon} icon="down" disabled={deal.rank === total} onClick={() => move.mutate(deal.rank + 1)}>
        {t('campaigns.move_down', { name })}
      </Button>
      <Button {...icon} icon="trash" onClick={onDelete}>
        {t('deals.delete_one', { name })}
      </Button>
    </div>
  )
}
