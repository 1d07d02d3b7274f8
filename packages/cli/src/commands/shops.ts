import type { Schemas } from 'doorstep-client'
import { paginate } from 'doorstep-client/pages'
import { command } from '../frame/command.ts'
import type { Output } from '../frame/output.ts'
import { pageSize, take } from '../frame/streams.ts'

export const shopsList = command({
  name: 'shops list',
  summary: 'List the shops that you can use',
  needs: 'service',
  options: {
    limit: { type: 'number', value: 'COUNT', summary: 'At most so many', default: 100 },
  },
  examples: [
    { line: 'shops list', says: 'Every shop with its slug, which other commands take as --shop' },
    { line: 'shops list --json', says: 'The same for scripts' },
  ],
  async run({ client, options, output }) {
    const query = { per_page: Math.min(options.limit, pageSize) }
    const items = await take(paginate(client, '/v1/shops', { params: { query } }), options.limit)
    output.result(items, () =>
      items.length === 0
        ? 'There is no shop yet. Create one: doorstep shops create --name "River & Pine"'
        : output.table(
            ['SLUG', 'NAME'],
            items.map(({ slug, name }) => [slug, name]),
          ),
    )
  },
})

export const shopsShow = command({
  name: 'shops show',
  summary: 'Show a shop',
  needs: 'service',
  arguments: [{ name: 'slug', summary: 'the slug of the shop' }],
  examples: [{ line: 'shops show river-and-pine', says: 'Name, addresses and when it was created' }],
  async run({ client, arguments: { slug }, output }) {
    const shop = await client.get('/v1/shops/{slug}', { params: { path: { slug } } })
    output.result(shop, () => describeShop(shop, output))
  },
})

export const shopsCreate = command({
  name: 'shops create',
  summary: 'Create a shop',
  needs: 'service',
  options: {
    name: { type: 'string', value: 'NAME', summary: 'The name that customers see', isRequired: true },
    slug: { type: 'string', value: 'SLUG', summary: 'Its name in addresses; otherwise made from the name' },
  },
  examples: [{ line: 'shops create --name "River & Pine"', says: 'With the slug river-and-pine' }],
  async run({ client, options: { name, ...options }, output }) {
    const slug = options.slug ?? slugOf(name)
    await client.post('/v1/shops', { body: { name, slug } })
    const shop = await client.get('/v1/shops/{slug}', { params: { path: { slug } } })
    output.result(shop, () => describeShop(shop, output))
    output.note(`\nUse it with --shop ${slug}, or: export DOORSTEP_SHOP=${slug}`)
  },
})

function describeShop(shop: Schemas['Shop'], output: Output): string {
  return output.fields([
    ['slug', shop.slug],
    ['name', shop.name],
    ['language', shop.language ?? '—'],
    ['currency', shop.shop_currency],
    ['shop system', shop.shop_provider ?? '—'],
    ['created', shop.created_at],
    ['id', shop.uuid],
  ])
}

/** `River & Pine` as `river-and-pine`. */
function slugOf(name: string): string {
  return name
    .replaceAll('&', ' and ')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f'’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
