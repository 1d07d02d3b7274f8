import { xml } from '../../../platform/foundation/html.ts'

export interface App {
  name: string
  secret: string
  registrationUrl: string
  webhookUrl: string
}

/** Increase it when the manifest changes, so that Shopware offers the update. */
const appVersion = '1.1.0'

/**
 * The events that the app subscribes to. Shopware reports every write to an order or to one of its parts, including
 * tracking codes, as `order.written`; deliveries have no event of their own.
 */
export const appEvents = [
  'checkout.order.placed',
  'order.written',
  'order.deleted',
  'state_enter.order.state.cancelled',
  'state_enter.order_delivery.state.shipped',
  'state_enter.order_delivery.state.shipped_partially',
  'state_enter.order_delivery.state.returned',
  'state_enter.order_delivery.state.returned_partially',
  'state_enter.order_delivery.state.cancelled',
  'product.deleted',
  'app.deleted',
] as const

/** Read access to everything an order consists of; no write access. */
const appPermissions = [
  'order',
  'order_address',
  'order_customer',
  'order_delivery',
  'order_delivery_position',
  'order_line_item',
  'order_transaction',
  'country',
  'country_state',
  'currency',
  'language',
  'locale',
  'media',
  'product',
  'sales_channel',
  'sales_channel_domain',
  'shipping_method',
  'state_machine_state',
  'webhook',
] as const

/** The app manifest, valid against Shopware's manifest-2.0.xsd. */
export function buildManifest(app: App): string {
  const permissions = appPermissions.map((entity) => xml`\n    <read>${entity}</read>`)
  const webhooks = appEvents.map(
    (event) => xml`\n    <webhook name="${camelCase(event)}" url="${app.webhookUrl}" event="${event}"/>`,
  )
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<manifest>
  <meta>
    <name>${app.name}</name>
    <label>Doorstep</label>
    <label lang="de-DE">Doorstep</label>
    <description>Shows your customers where their parcels are.</description>
    <description lang="de-DE">Sagt Ihren Kunden, wo ihre Pakete sind.</description>
    <author>Doorstep</author>
    <copyright>(c) Doorstep</copyright>
    <version>${appVersion}</version>
    <license>Apache-2.0</license>
  </meta>
  <setup>
    <registrationUrl>${app.registrationUrl}</registrationUrl>
    <secret>${app.secret}</secret>
  </setup>
  <permissions>${permissions}
  </permissions>
  <webhooks>${webhooks}
  </webhooks>
</manifest>
`.html
}

/** Shopware requires UpperCamelCase; the name is also the app's folder. */
export function appNameFor(slug: string): string {
  const name = camelCase(slug)
  return `Doorstep${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function camelCase(text: string): string {
  const [first = '', ...others] = text.split(/[^A-Za-z0-9]/).filter((word) => word !== '')
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
