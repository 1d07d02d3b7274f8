import { useState } from 'react'
import { type Language, languageTag } from '../../../app/languages.ts'
import { useMay } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { t } from '../../../texts/texts.ts'
import type { Editor } from '../use-editor.ts'
import { shownFields } from './check.ts'
import { type CampaignDraft, emptyProduct, type ProductDraft } from './draft.ts'
import { ProductFields } from './product-fields.tsx'
import { ProductPicker } from './product-picker.tsx'

interface ProductsProps {
  editor: Editor<CampaignDraft>
  currency: string
  language: Language
  isOriginal: boolean
}

/** The products of a campaign, in the order in which customers see them. */
export function Products({ editor, currency, language, isOriginal }: ProductsProps) {
  const { draft, errorOf, visit } = editor
  const { products } = draft.value
  const mayEdit = useMay('editor')
  const [isPicking, setPicking] = useState(false)
  const put = (next: ProductDraft[]) => draft.set({ products: next })
  const move = (index: number, by: number) => {
    const next = [...products]
    const [moved] = next.splice(index, 1)
    if (moved) next.splice(index + by, 0, moved)
    put(next)
  }
  return (
    <fieldset className="stack products">
      <legend className="strong">{t('campaigns.products')}</legend>
      {products.length === 0 && <p className="soft">{t('campaigns.no_products')}</p>}
      {errorOf(`${shownFields}.products`) && <p className="field-error">{errorOf(`${shownFields}.products`)}</p>}
      {products.map((product, index) => {
        const name = product.title || t('campaigns.product_nth', { n: index + 1 })
        const place = `${shownFields}.products.${index}`
        return (
          <section key={product.key} className="product-card stack" aria-label={name}>
            <div className="row apart">
              <h3 className="truncate" lang={languageTag(language)}>
                {name}
              </h3>
              {mayEdit && (
                <div className="row tight">
                  <Button
                    variant="quiet"
                    isSmall
                    isIconOnly
                    icon="up"
                    disabled={index === 0}
                    onClick={() => move(index, -1)}
                  >
                    {t('campaigns.move_up', { name })}
                  </Button>
                  <Button
                    variant="quiet"
                    isSmall
                    isIconOnly
                    icon="down"
                    disabled={index === products.length - 1}
                    onClick={() => move(index, 1)}
                  >
                    {t('campaigns.move_down', { name })}
                  </Button>
                  <Button
                    variant="quiet"
                    isSmall
                    isIconOnly
                    icon="trash"
                    onClick={() => put(products.filter((each) => each !== product))}
                  >
                    {t('campaigns.remove_product', { name })}
                  </Button>
                </div>
              )}
            </div>
            <ProductFields
              product={product}
              language={isOriginal ? undefined : language}
              errorOf={(field) => errorOf(`${place}.${field}`)}
              visit={(field) => visit(`${place}.${field}`)}
              onChange={(change) => put(products.map((each) => (each === product ? { ...each, ...change } : each)))}
            />
          </section>
        )
      })}
      {mayEdit && (
        <div className="row">
          <Button icon="search" onClick={() => setPicking(true)}>
            {t('campaigns.pick_product')}
          </Button>
          <Button icon="plus" onClick={() => put([...products, emptyProduct(currency)])}>
            {t('campaigns.add_product')}
          </Button>
        </div>
      )}
      {isPicking && (
        <ProductPicker
          currency={currency}
          onPick={(product) => {
            put([...products, product])
            setPicking(false)
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </fieldset>
  )
}
