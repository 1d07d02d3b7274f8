// Contents of a version's store beside the demo shop, made by API calls that every version since 0.2.0 knows.
export const adminKey = 'the-key-of-the-kept-stores'
export const encryptionKey = 'the-encryption-key-of-the-kept-stores'
export const slug = 'kept'

type Body = Record<string, unknown>

/** Fills the shop, and returns what the tests look for. `receiverUrl` takes what is sent first, and then no more. */
export async function fillShop(url: string, receiver: { url: string; stop(): Promise<void> }) {
  const call = async (method: string, path: string, body?: Body) => {
    const response = await fetch(`${url}/v1/shops${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`admin:${adminKey}`).toString('base64')}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return { body: text === '' ? undefined : JSON.parse(text), location: response.headers.get('location') ?? '' }
  }
  const inShop = (method: string, path: string, body?: Body) => call(method, `/${slug}${path}`, body)

  await call('POST', '', { name: 'Kept', slug })
  await inShop('POST', '/webhooks', { url: receiver.url })
  const webhook = (await inShop('GET', '/webhooks')).body[0].uuid
  const orderNumber = 'K-1001'
  const trackingNumber = '00340434161094015902'
  const order = await inShop('PUT', '/orders', orderOf(orderNumber, trackingNumber))
  const orderId = order.location.split('/').at(-1) ?? ''
  const report = (event_name: string) =>
    inShop('POST', '/shipment-events?notify=true', { id: trackingNumber, event_name })
  await report('PARCEL_DISPATCHED')
  await untilDelivered(() => inShop('GET', `/webhooks/${webhook}/deliveries`))
  await receiver.stop()
  await report('OUT_FOR_DELIVERY')
  await inShop('POST', '/claims', {
    tracking_number: trackingNumber,
    reason: 'damage',
    description: 'One cup is broken.',
    resolution_preference: 'refund',
  })
  await inShop('POST', '/campaigns', {
    name: 'Warm feet',
    segment: 'default',
    promotion_type: 'basic',
    promotion_properties: { title: 'Warm feet', subtitle: 'All winter', cta_label: 'To the socks' },
  })
  await inShop('PUT', '/keys/klaviyo', { api_key: 'pk_kept_0123456789' })
  const page = (await inShop('POST', '/orders/trackpage-url', { id: orderNumber })).body.url
  const key = (await inShop('POST', '/api-keys', { role: 'viewer' })).body
  return {
    orderNumber,
    trackingNumber,
    orderId,
    webhook,
    pagePath: new URL(page, url).pathname,
    keyUsername: key.username,
    keySecret: key.secret,
  }
}

async function untilDelivered(read: () => Promise<{ body: { status: string }[] }>): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const { body } = await read()
    if (body.some(({ status }) => status === 'delivered')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the receiver got nothing')
}

function orderOf(order_number: string, tracking_number: string): Body {
  return {
    id: order_number,
    id_type: 'order_number',
    order: {
      order_number,
      order_name: `#${order_number}`,
      order_placed_at: new Date().toISOString(),
      total_order_price: 94.85,
      currency: 'EUR',
      email_id: 'ada@example.com',
      address: {
        name: 'Ada Example',
        street: 'Example Street 1',
        city: 'Berlin',
        zip_code: '10115',
        country: 'Germany',
        country_code: 'DE',
      },
      products: [{ title: 'Cups', quantity: 4, price: 22.5, sku: 'CU-4', product_id: 'p1', variant_id: 'v1' }],
    },
    trackings: [{ tracking_number }],
  }
}
