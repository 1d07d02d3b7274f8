import { updateMailSettings } from '../../credentials/mail-account/operations.ts'
import { putMailTemplate } from '../../messages/templates/operations.ts'
import type { MailTemplateFields } from '../../messages/templates/schema.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { perform } from './perform.ts'

const group = 'shipment_out_for_delivery'

const templates: Record<'en' | 'de', MailTemplateFields> = {
  en: {
    subject: '{first_name}, your parcel from {shop_name} arrives today',
    preheader: 'A good moment to put the kettle on.',
    heading: 'Almost there, {first_name}',
    introduction:
      'Hello {first_name},\n\nyour parcel is in the van. Expected: {expected_date}. If you are out, a neighbour may take it for you.\n\nYours, the packing team of {shop_name}',
    blocks: ['window', 'status', 'pickup', 'products', 'help', 'campaign', 'deals'],
  },
  de: {
    subject: '{first_name}, Ihr Paket von {shop_name} kommt heute',
    preheader: 'Ein guter Moment, um Tee aufzusetzen.',
    heading: 'Gleich ist es da, {first_name}',
    introduction:
      'Guten Tag {first_name},\n\nIhr Paket liegt im Zustellfahrzeug. Voraussichtlich: {expected_date}. Wenn Sie nicht zu Hause sind, nimmt es vielleicht jemand aus der Nachbarschaft an.\n\nIhr Packteam von {shop_name}',
    blocks: ['window', 'status', 'pickup', 'products', 'help', 'campaign', 'deals'],
  },
}

/** Own words in one message. E-mail stays switched off: there is no mail server. */
export async function writeMailTexts(context: ShopContext): Promise<void> {
  await perform(context, updateMailSettings, { footer: `${context.shop.name}, Uferweg 3, 10115 Berlin` })
  for (const [language, fields] of Object.entries(templates)) {
    await perform(context, putMailTemplate, fields, { group, language })
  }
}
