import { ImageField } from '../../../app/image-field.tsx'
import type { Language } from '../../../app/languages.ts'
import { SelectField, TextField } from '../../../kit/field.tsx'
import { t } from '../../../texts/texts.ts'
import { translate } from '../translations.ts'
import type { ProductDraft } from './draft.ts'

interface ProductFieldsProps {
  product: ProductDraft
  /** Undefined: as written. */
  language: Language | undefined
  errorOf: (field: string) => string | undefined
  visit: (field: string) => void
  onChange: (change: Partial<ProductDraft>) => void
}

const badges = ['', 'new', 'sale'] as const
const discounts = ['', 'percentage', 'fixed_amount', 'free_shipping'] as const

export function ProductFields({ product, language, errorOf, visit, onChange }: ProductFieldsProps) {
  const text = (name: 'product_url' | 'price' | 'currency') => ({
    label: t(`campaigns.product.${name}`),
    value: product[name],
    error: errorOf(name),
    onBlur: () => visit(name),
    onChange: (typed: string) => onChange({ [name]: typed }),
  })
  return (
    <>
      <div className="form-grid">
        <TextField
          label={t('campaigns.product.title')}
          maxLength={1_000}
          placeholder={language && product.title}
          value={language ? (product.translations[language]?.title ?? '') : product.title}
          error={language ? undefined : errorOf('title')}
          onChange={(title) =>
            onChange(language ? { translations: translate(product.translations, language, 'title', title) } : { title })
          }
        />
        <TextField {...text('product_url')} type="url" placeholder="https://" required />
      </div>
      <div className="form-grid narrow">
        <TextField {...text('price')} type="number" min={0} step="any" inputMode="decimal" />
        <TextField {...text('currency')} maxLength={3} className="code" required />
        <SelectField
          label={t('campaigns.product.category')}
          value={product.category}
          choices={badges.map((value) => ({ value, label: t(`campaigns.product.categories.${value || 'none'}`) }))}
          onChange={(category) => onChange({ category })}
        />
        <SelectField
          label={t('campaigns.product.discount')}
          value={product.discount}
          choices={discounts.map((value) => ({ value, label: t(`campaigns.product.discounts.${value || 'none'}`) }))}
          onChange={(discount) => onChange({ discount })}
        />
        {(product.discount === 'percentage' || product.discount === 'fixed_amount') && (
          <TextField
            label={t(`campaigns.product.amount.${product.discount}`)}
            type="number"
            min={0}
            step="any"
            inputMode="decimal"
            value={product.discount_amount}
            error={errorOf('discount.amount')}
            onBlur={() => visit('discount.amount')}
            onChange={(discount_amount) => onChange({ discount_amount })}
          />
        )}
      </div>
      <ImageField
        label={t('campaigns.product.image_url')}
        alt={t('campaigns.image_alt')}
        kind="product"
        url={product.image_url}
        error={errorOf('image_url')}
        onBlur={() => visit('image_url')}
        onChange={(image_url) => onChange({ image_url })}
      />
    </>
  )
}
