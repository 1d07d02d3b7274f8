import { api } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { t } from '../../../texts/texts.ts'
import { RemoveRecord } from '../remove-record.tsx'
import type { Deal } from './draft.ts'

const path = '/v1/shops/{slug}/deals'
/** The page shows this many. */
export const shownDeals = 6

interface DeleteDealProps {
  deal: Deal
  leave: () => Promise<unknown>
  onClose: () => void
}

export function DeleteDeal({ deal, leave, onClose }: DeleteDealProps) {
  const slug = useSlug()
  return (
    <RemoveRecord
      title={t('deals.delete_title', { name: dealName(deal) })}
      done={t('deals.deleted')}
      remove={() => api.delete(`${path}/{deal_id}`, { params: { path: { slug, deal_id: deal.uuid } } })}
      leave={leave}
      path={path}
      onClose={onClose}
    >
      <p>{t(deal.rank <= shownDeals ? 'deals.delete_shown' : 'deals.delete_hidden')}</p>
    </RemoveRecord>
  )
}

export function dealName({ title, discount }: Pick<Deal, 'title' | 'discount'>): string {
  return title ?? discount.title ?? discount.code ?? t('deals.unnamed')
}
