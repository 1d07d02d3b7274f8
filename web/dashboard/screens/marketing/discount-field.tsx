import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { readList } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { SelectField } from '../../kit/field.tsx'
import { rich, t } from '../../texts/texts.ts'
import { discountName } from './discount-words.ts'

interface DiscountFieldProps {
  label: string
  help: string
  /** Empty: none. */
  value: string
  /** The one that is stored, which may not be among the newest. */
  stored: Schemas['Discount'] | null | undefined
  error?: string | undefined
  required?: boolean
  onChange: (id: string) => void
  onBlur?: () => void
}

/** One of the shop's discounts, the newest first. */
export function DiscountField({ label, help, value, stored, error, required, onChange, onBlur }: DiscountFieldProps) {
  const slug = useSlug()
  const mayEdit = useMay('editor')
  const { data } = useQuery(
    readList('/v1/shops/{slug}/discounts', {
      params: { path: { slug }, query: { per_page: 100, sort: '-created_at' } },
    }),
  )
  const listed = data?.rows ?? []
  const known = stored && !listed.some(({ uuid }) => uuid === stored.uuid) ? [...listed, stored] : listed
  return (
    <SelectField
      label={label}
      help={
        mayEdit
          ? rich('offers.discount_help', {
              help,
              link: (
                <Link to="/$slug/marketing/discounts/$uuid" params={{ slug, uuid: 'new' }}>
                  {t('offers.new_discount')}
                </Link>
              ),
            })
          : help
      }
      error={error}
      value={value}
      required={required}
      choices={[
        { value: '', label: required ? t('offers.choose_discount') : t('offers.no_discount') },
        ...known.map((discount) => ({ value: discount.uuid, label: discountName(discount) })),
      ]}
      onChange={onChange}
      onBlur={onBlur}
    />
  )
}
