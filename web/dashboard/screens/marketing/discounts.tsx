import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { readList, refreshMs } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Filter } from '../../kit/list/controls.tsx'
import { List } from '../../kit/list/list.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { discountsCall, perPage } from './calls.ts'
import { DeleteDiscount } from './discount/remove.tsx'
import { discountName, worthOf } from './discount-words.ts'
import { type DiscountSearch, discountTypes, valueTypes } from './search.ts'

type Discount = Schemas['Discount']

/** The discounts that campaigns and deals show. */
export function Discounts() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/marketing/discounts' })
  const navigate = useNavigate({ from: '/$slug/marketing/discounts' })
  const mayEdit = useMay('editor')
  const [deleted, setDeleted] = useState<Discount>()
  const list = useQuery({
    ...readList(...discountsCall(slug, search)),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
  const change = (given: DiscountSearch) => navigate({ search: (before) => ({ ...before, ...given }) })
  const create = mayEdit && (
    <ButtonLink variant="primary" icon="plus" to="/$slug/marketing/discounts/$uuid" params={{ slug, uuid: 'new' }}>
      {t('discounts.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.discounts')} lead={t('discounts.lead')} actions={create}>
      <List<Discount>
        label={t('nav.discounts')}
        query={list}
        keyOf={({ uuid }) => uuid}
        nameOf={discountName}
        search={search}
        onSearch={(given) => change(given as DiscountSearch)} // its own state with a change
        perPage={perPage}
        searchLabel={t('discounts.search')}
        filters={
          <>
            <Filter
              label={t('discounts.type')}
              isSingle
              choices={discountTypes.map((value) => ({ value, label: t(`discounts.types.${value}`) }))}
              chosen={search.type ? [search.type] : []}
              onChange={([type]) => change({ type, page: undefined })}
            />
            <Filter
              label={t('discounts.value_type')}
              isSingle
              choices={valueTypes.map((value) => ({ value, label: t(`discounts.value_types.${value}`) }))}
              chosen={search.value_type ? [search.value_type] : []}
              onChange={([value_type]) => change({ value_type, page: undefined })}
            />
          </>
        }
        empty={
          <Empty title={t('discounts.empty')} action={create}>
            {t('discounts.empty_text')}
          </Empty>
        }
        columns={[
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
                    <Button variant="quiet" isSmall isIconOnly icon="trash" onClick={() => setDeleted(row)}>
                      {t('discounts.delete_one', { name: discountName(row) })}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {deleted && (
        <DeleteDiscount discount={deleted} leave={async () => undefined} onClose={() => setDeleted(undefined)} />
      )}
    </Page>
  )
}
