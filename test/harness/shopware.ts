import { FakeShopwareCore, type Transport } from '../conformance/fakes/shopware-core.ts'
import { call, clock } from './service.ts'
import type { TestShop } from './shop.ts'

/** The address of the tests' service, as in its setting PUBLIC_URL. */
const publicUrl = 'https://doorstep.example'

export function transportTo(shop: Pick<TestShop, 'service'>): Transport {
  return (method, url, headers, body) => {
    if (!url.startsWith(publicUrl)) throw new Error(`${url} is not ours`)
    const payload = body === undefined ? {} : { payload: body }
    return call(method, url.slice(publicUrl.length), { auth: null, headers, ...payload }, shop.service)
  }
}

export async function manifestOf(shop: TestShop): Promise<string> {
  return (await shop.as('admin').get('/shopware/manifest.xml')).text
}

/** A Shopware without an API server, which has installed the shop's app. */
export async function installShopware(shop: TestShop, url = 'https://shopware.example'): Promise<FakeShopwareCore> {
  const shopware = new FakeShopwareCore({ url, transport: transportTo(shop), now: () => clock.now() })
  await shopware.install(await manifestOf(shop))
  return shopware
}
