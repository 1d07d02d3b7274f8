import { sendProducts } from '../../orders/products/operations.ts'
import type { GivenProduct } from '../../orders/products/schema.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { DemoParts } from './parts.ts'
import { perform } from './perform.ts'
import type { Pictures } from './pictures.ts'
import { everyVariant, type Line, toProduct } from './products.ts'
import { shopUrl } from './shop.ts'

interface ShopPage {
  category: string
  german: string
  french: string
}

/** The path of each product in the shop, and its translations. */
const pages: Record<Line['product'], ShopPage> = {
  tarn: { category: 'Rainwear', german: 'Regenjacke Tarn', french: 'Veste de pluie Tarn' },
  fell: { category: 'Tops', german: 'Fleecejacke Fell', french: 'Polaire Fell' },
  brook: { category: 'Tops', german: 'Merino-T-Shirt Brook', french: 'T-shirt mérinos Brook' },
  ridge: { category: 'Trousers', german: 'Trekkinghose Ridge', french: 'Pantalon de trekking Ridge' },
  larch: {
    category: 'Accessories',
    german: 'Wollsocken Larch, 2 Paar',
    french: 'Chaussettes en laine Larch, 2 paires',
  },
  cairn: { category: 'Tops', german: 'Daunenweste Cairn', french: 'Gilet en duvet Cairn' },
  juniper: { category: 'Accessories', german: 'Mütze Juniper', french: 'Bonnet Juniper' },
  heath: { category: 'Tops', german: 'Flanellhemd Heath', french: 'Chemise en flanelle Heath' },
  delta: { category: 'Rainwear', german: 'Regenhose Delta', french: 'Pantalon de pluie Delta' },
  otter: { category: 'Accessories', german: 'Packsack Otter, 20 l', french: 'Sac étanche Otter, 20 l' },
  bracken: { category: 'Accessories', german: 'Handschuhe Bracken', french: 'Gants Bracken' },
  card: { category: 'Gift cards', german: 'Geschenkgutschein', french: 'Carte cadeau' },
}

/** The products as a shop system sends them: those of the orders, with the same ids and prices. */
export async function sendCatalogue(context: ShopContext, { pictures }: DemoParts): Promise<void> {
  const products = everyVariant().map((variant) => toCatalogueProduct(variant, pictures))
  await perform(context, sendProducts, products)
}

function toCatalogueProduct(variant: Line, pictures: Pictures): GivenProduct {
  const { title, variant_title, price, sku, product_id, variant_id } = toProduct(variant, 'EUR')
  const { category, german, french } = pages[variant.product]
  return {
    product_id: product_id ?? variant.product,
    variant_id: variant_id ?? variant.variant,
    title: title ?? variant.product,
    variant_title,
    price,
    sku,
    product_url: `${shopUrl}/products/${variant.product}`,
    image_url: pictures.urlOf(variant.product),
    category,
    translations: { de: { title: german }, fr: { title: french } },
  }
}
