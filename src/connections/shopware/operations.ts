import { buildManifest } from '../../adapters/shop-systems/shopware/manifest.ts'
import { zip } from '../../adapters/shop-systems/shopware/zip.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import { BytesReply, NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { deleteFetches, findQueue } from '../order-fetches/store.ts'
import { auditedApp } from './audit.ts'
import { ShopwareApp } from './schema.ts'
import { deleteApp, findApp, getApp, openAppSecret } from './store.ts'

const area = 'Shop systems'
const secret = "It contains the app's secret, which is created at the first download: do not share it."

export const getShopwareApp = operation({
  name: 'getShopwareApp',
  summary: 'Get the state of the connection to Shopware',
  area,
  route: 'GET /v1/shops/{slug}/shopware/app',
  needs: 'viewer',
  reply: ShopwareApp,
  async handle(context) {
    const app = await findApp(context, context.shop.id)
    const queue = await findQueue(context, 'shopware')
    return {
      name: app?.name ?? null,
      is_connected: app?.connection != null,
      shop_url: app?.shop_url ?? null,
      shopware_version: app?.shopware_version ?? null,
      connected_at: app?.connected_at?.toISOString() ?? null,
      fetched_at: queue?.fetched_at?.toISOString() ?? null,
      last_error: queue?.last_error ?? null,
    }
  },
})

export const downloadShopwareApp = operation({
  name: 'downloadShopwareApp',
  summary: 'Download the app that connects a Shopware',
  description: `A ZIP file for Extensions › My extensions › Upload extension in the administration of Shopware 6. ${secret}`,
  area,
  route: 'GET /v1/shops/{slug}/shopware/app.zip',
  needs: 'admin',
  reply: BytesReply('application/zip'),
  async handle(context) {
    const { name, manifest } = await manifestOf(context)
    const file = zip([{ path: `${name}/manifest.xml`, text: manifest }], context.now)
    return new ReplyWithHeaders(file, download('application/zip', `${name}.zip`))
  },
})

export const downloadShopwareManifest = operation({
  name: 'downloadShopwareManifest',
  summary: 'Download the manifest of the app for Shopware',
  description: `For shops that manage their apps in a repository: save it as custom/apps/<name>/manifest.xml. ${secret}`,
  area,
  route: 'GET /v1/shops/{slug}/shopware/manifest.xml',
  needs: 'admin',
  reply: BytesReply('text/xml', '<?xml version="1.0" encoding="UTF-8"?><manifest></manifest>'),
  async handle(context) {
    const { manifest } = await manifestOf(context)
    return new ReplyWithHeaders(Buffer.from(manifest), download('text/xml; charset=utf-8', 'manifest.xml'))
  },
})

export const deleteShopwareApp = operation({
  name: 'deleteShopwareApp',
  summary: 'Disconnect from Shopware',
  description:
    'For a Shopware that is gone, or whose secrets may have leaked. Removing the app in Shopware disconnects as well. App files that were downloaded before no longer work: download the app again to connect.',
  area,
  route: 'DELETE /v1/shops/{slug}/shopware/app',
  needs: 'admin',
  reply: NullReply,
  audit: auditedApp,
  async handle(context) {
    await inTransaction(context, async (context) => {
      await deleteApp(context, context.shop.id)
      await deleteFetches(context, 'shopware', context.shop.id)
    })
    return null
  },
})

async function manifestOf(context: ShopContext): Promise<{ name: string; manifest: string }> {
  const app = await getApp(context)
  const webhookUrl = `${context.services.publicUrl}/v1/inbound/${context.shop.slug}/shopware`
  const manifest = buildManifest({
    name: app.name,
    secret: openAppSecret(context, app),
    registrationUrl: `${webhookUrl}/register`,
    webhookUrl,
  })
  return { name: app.name, manifest }
}

function download(contentType: string, filename: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${filename}"`,
    'cache-control': 'no-store',
  }
}
