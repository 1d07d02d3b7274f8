import type { ShopSystemName } from '../../src/adapters/shop-systems/registry.ts'
import type { Service } from '../../src/service.ts'
import { FakeShopware } from '../conformance/fakes/shopware-server.ts'
import { clock, type Reply } from './service.ts'
import { makeShop, type TestShop } from './shop.ts'
import { type OrderHistory, shopifyOrders, shopwareOrders, wooCommerceOrders } from './shop-system-servers/orders.ts'
import { accessToken, startShopify } from './shop-system-servers/shopify.ts'
import { consumerKey, consumerSecret, startWooCommerce } from './shop-system-servers/woocommerce.ts'
import { type Payload, senderOf } from './shop-systems.ts'
import { manifestOf, transportTo } from './shopware.ts'

type Response = { status: number; body: string; headers?: Record<string, string> }

/** A shop with a connected shop system that has orders. */
export interface ConnectedShop {
  shop: TestShop
  orders: Payload[]
  /** Orders arrive in the shop system. */
  add(orders: Payload[]): void
  /** Sends the webhook about an order, as it is now. */
  report(order: Payload): Promise<Reply>
  /** Sets the credentials again. */
  renew(): Promise<unknown>
  /** Runs before each page of orders is returned; a response replaces the page. */
  beforePage(act: (page: number) => Response | undefined): void
  close(): Promise<void>
}

export async function connectWithOrders(
  service: Service,
  system: ShopSystemName,
  history: Omit<OrderHistory, 'now'>,
  fields: Record<string, unknown> = {},
): Promise<ConnectedShop> {
  const given = { ...history, now: clock.now() }
  switch (system) {
    case 'shopify':
      return connectShopify(service, given, fields)
    case 'woocommerce':
      return connectWooCommerce(service, given, fields)
    case 'shopware':
      return connectShopware(service, given, fields)
  }
}

async function connectShopify(service: Service, history: OrderHistory, fields: object): Promise<ConnectedShop> {
  const fake = await startShopify(() => clock.now())
  fake.orders = shopifyOrders(history)
  const shop = await makeShop({ shop_admin_url: fake.url, ...fields }, service)
  await shop.as('admin').put('/keys/shopify', { api_key: accessToken })
  return {
    shop,
    orders: fake.orders,
    add: (orders) => void fake.orders.push(...orders),
    renew: () => shop.as('admin').put('/keys/shopify', { api_key: accessToken }),
    report: async (order) => (await senderOf(shop, 'shopify')).send('orders/updated', order),
    beforePage(act) {
      fake.beforePage = () => act(fake.pages)
    },
    close: () => fake.close(),
  }
}

async function connectWooCommerce(service: Service, history: OrderHistory, fields: object): Promise<ConnectedShop> {
  const fake = await startWooCommerce()
  fake.orders = wooCommerceOrders(history)
  const shop = await makeShop({ ...fields }, service)
  const keys = { store_url: fake.url, consumer_key: consumerKey, consumer_secret: consumerSecret }
  await shop.as('admin').put('/keys/woocommerce', keys)
  return {
    shop,
    orders: fake.orders,
    add: (orders) => void fake.orders.push(...orders),
    renew: () => shop.as('admin').put('/keys/woocommerce', keys),
    report: async (order) => (await senderOf(shop, 'woocommerce')).send('order.updated', order),
    beforePage(act) {
      fake.beforePage = () => act(fake.pages)
    },
    close: () => fake.close(),
  }
}

async function connectShopware(service: Service, history: OrderHistory, fields: object): Promise<ConnectedShop> {
  const shop = await makeShop({ ...fields }, service)
  const fake = await FakeShopware.start({ transport: transportTo(shop), now: () => clock.now() })
  await fake.install(await manifestOf(shop))
  const orders: Payload[] = []
  const add = (added: Payload[]) => {
    orders.push(...added)
    for (const order of added) fake.orders.set(order.id, order)
  }
  add(shopwareOrders(history))
  return {
    shop,
    orders,
    add,
    renew: () => fake.register(),
    report: ({ id }) => fake.written([id]),
    beforePage(act) {
      let page = 0
      fake.beforeSearch = () => {
        page += 1
        return act(page)
      }
    },
    close: () => fake.server.stop(),
  }
}

/** Runs backfills until none is due. */
export async function settleBackfills({ workers }: Service): Promise<void> {
  await workers?.backfills.runDue()
}
