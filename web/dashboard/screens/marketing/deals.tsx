import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, readList, refresh } from '../../app/api.ts'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { useMay, useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { formatNumber } from '../../kit/format.ts'
import type { ListSearch } from '../../kit/list/search.ts'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { dealsCall, perPage } from './calls.ts'
import type { Deal } from './deal/draft.ts'
import { DeleteDeal, dealName, shownDeals } from './deal/remove.tsx'
import { discountName } from './discount-words.ts'

const path = '/v1/shops/{slug}/deals'

/** The deals on every tracking page, in the order in which customers see them. */
export const Deals = listScreen<Deal, ListSearch>({
  title: t('nav.deals'),
  lead: t('deals.lead', { count: shownDeals }),
  useRows: (slug, search) => useListQuery(readList(...dealsCall(slug, search))),
  perPage,
  // A deal that moved is another row: rows that stay keep their place while the list refreshes.
  keyOf: ({ uuid, rank }) => `${rank} ${uuid}`,
  nameOf: dealName,
  useColumns: ({ slug, result, open }) => {
    const mayEdit = useMay('editor')
    return [
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
              cell: (row: Deal) => <Actions deal={row} total={result?.total} onDelete={() => open(row)} />,
            },
          ]
        : []),
    ]
  },
  searchLabel: t('deals.search'),
  create: { needs: 'editor', Button: CreateDeal },
  RowDialog: ({ row, onClose }) => <DeleteDeal deal={row} leave={async () => undefined} onClose={onClose} />,
  empty: { title: t('deals.empty'), text: t('deals.empty_text') },
})

function CreateDeal() {
  return (
    <ButtonLink
      variant="primary"
      icon="plus"
      to="/$slug/marketing/deals/$uuid"
      params={{ slug: useSlug(), uuid: 'new' }}
    >
      {t('deals.new')}
    </ButtonLink>
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
