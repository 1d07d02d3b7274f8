import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, readList } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { t } from '../../../texts/texts.ts'
import { discountName } from '../discount-words.ts'
import { RemoveRecord } from '../remove-record.tsx'

const path = '/v1/shops/{slug}/discounts'

interface DeleteDiscountProps {
  discount: Schemas['Discount']
  leave: () => Promise<unknown>
  onClose: () => void
}

/** A discount that is used stays: it says by how many deals. */
export function DeleteDiscount({ discount, leave, onClose }: DeleteDiscountProps) {
  const slug = useSlug()
  const { uuid } = discount
  const { data } = useQuery(
    readList('/v1/shops/{slug}/deals', { params: { path: { slug }, query: { discount_id: uuid, per_page: 1 } } }),
  )
  const deals = data?.total ?? 0
  return (
    <RemoveRecord
      title={t('discounts.delete_title', { name: discountName(discount) })}
      done={t('discounts.deleted')}
      remove={() => api.delete(`${path}/{uuid}`, { params: { path: { slug, uuid } } })}
      leave={leave}
      path={path}
      onClose={onClose}
    >
      <p>{deals > 0 ? t('discounts.delete_used', { count: deals }) : t('discounts.delete_text')}</p>
    </RemoveRecord>
  )
}
