import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useDeferredValue, useState } from 'react'
import { readList } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { TextField } from '../../../kit/field.tsx'
import { formatMoney } from '../../../kit/format.ts'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'
import { emptyProduct, type ProductDraft } from './draft.ts'

type CatalogueProduct = Schemas['CatalogueProduct']

interface ProductPickerProps {
  currency: string
  onPick: (product: ProductDraft) => void
  onClose: () => void
}

/** A product of the shop's catalogue, found by its title or SKU. */
export function ProductPicker({ currency, onPick, onClose }: ProductPickerProps) {
  const slug = useSlug()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const list = useQuery({
    ...readList('/v1/shops/{slug}/products', {
      params: { path: { slug }, query: { per_page: 20, ...(q === '' ? {} : { q }) } },
    }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.rows ?? []
  return (
    <Dialog title={t('campaigns.pick_product')} onClose={onClose}>
      <TextField label={t('campaigns.find_product')} type="search" value={typed} onChange={setTyped} />
      {list.isPending ? (
        <SkeletonLines count={5} />
      ) : list.isError ? (
        <Problem error={list.error} retry={() => void list.refetch()} />
      ) : rows.length === 0 ? (
        <p className="soft">{t(q === '' ? 'campaigns.empty_catalogue' : 'list.nothing_found')}</p>
      ) : (
        <ul className="plain-list product-choices">
          {rows.map((product) => (
            <li key={`${product.product_id} ${product.variant_id}`} className="row apart">
              <span className="grow">
                {nameOf(product)}
                <span className="soft small product-facts">
                  {[product.sku, product.price === null ? null : formatMoney(product.price, currency)]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <Button isSmall onClick={() => onPick(toDraft(product, currency))}>
                {t('campaigns.pick')}
                <span className="unseen"> {nameOf(product)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function nameOf({ title, variant_title }: CatalogueProduct): string {
  return variant_title ? `${title} · ${variant_title}` : title
}

function toDraft(product: CatalogueProduct, currency: string): ProductDraft {
  return {
    ...emptyProduct(currency),
    title: product.title,
    product_url: product.product_url ?? '',
    image_url: product.image_url,
    price: product.price?.toString() ?? '',
    sku: product.sku,
    translations: product.translations,
  }
}
