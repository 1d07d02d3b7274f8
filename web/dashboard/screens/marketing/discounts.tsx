import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { readList } from '../../app/api.ts'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { useMay, useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { choicesOf, one } from '../../kit/list/filters.ts'
import { t } from '../../texts/texts.ts'
import { discountsCall, perPage } from './calls.ts'
import { DeleteDiscount } from './discount/remove.tsx'
import { discountName, worthOf } from './discount-words.ts'
import { type DiscountSearch, discountTypes, valueTypes } from './search.ts'

type Discount = Schemas['Discount']

/** The discounts that campaigns and deals show. */
export const Discounts = listScreen<Discount, DiscountSearch>({
  title: t('nav.discounts'),
  lead: t('discounts.lead'),
  useRows: (slug, search) => useListQuery(readList(...discountsCall(slug, search))),
  perPage,
  keyOf: ({ uuid }) => uuid,
  nameOf: discountName,
  useColumns: ({ slug, open }) => {
    const mayEdit = useMay('editor')
    return [
      {
        name: 'title',
        label: t('discounts.title'),
        isSortable: true,
        cell: (row) => (
          <Link to="/$slug/marketing/discounts/$uuid" params={{ slug, uuid: row.uuid }} className="offer-text">
            {row.title ?? discountName(row)}
          </Link>
        ),
      },
      {
        name: 'code',
        label: t('discounts.code'),
        isSortable: true,
        cell: ({ code }) => (code ? <code>{code}</code> : <span className="soft">{t('discounts.no_code')}</span>),
      },
      {
        name: 'value',
        label: t('discounts.value'),
        isSortable: true,
        isNumber: true,
        cell: (row) => worthOf(row) ?? <span className="soft">–</span>,
      },
      { name: 'type', label: t('discounts.type'), cell: ({ type }) => t(`discounts.types.${type}`) },
      ...(mayEdit
        ? [
            {
              name: 'actions',
              label: t('campaigns.actions'),
              cell: (row: Discount) => (
                <Button variant="quiet" isSmall isIconOnly icon="trash" onClick={() => open(row)}>
                  {t('discounts.delete_one', { name: discountName(row) })}
                </Button>
              ),
            },
          ]
        : []),
    ]
  },
  useFilters: ({ search }) => [
    one(
      search,
      'type',
      t('discounts.type'),
      choicesOf(discountTypes, (value) => t(`discounts.types.${value}`)),
    ),
    one(
      search,
      'value_type',
      t('discounts.value_type'),
      choicesOf(valueTypes, (value) => t(`discounts.value_types.${value}`)),
    ),
  ],
  searchLabel: t('discounts.search'),
  create: { needs: 'editor', Button: CreateDiscount },
  RowDialog: ({ row, onClose }) => <DeleteDiscount discount={row} leave={async () => undefined} onClose={onClose} />,
  empty: { title: t('discounts.empty'), text: t('discounts.empty_text') },
})

function CreateDiscount() {
  return (
    <ButtonLink
      variant="primary"
      icon="plus"
      to="/$slug/marketing/discounts/$uuid"
      params={{ slug: useSlug(), uuid: 'new' }}
    >
      {t('discounts.new')}
    </ButtonLink>
  )
}
