import type { ShopContext } from '../../foundation/context.ts'
import type { Language } from '../../foundation/languages.ts'
import { shopOf } from '../customer-mail/compose.ts'
import type { MailGroup } from '../customer-mail/groups.ts'
import { type MailSample, sampleView } from '../customer-mail/samples.ts'
import type { MailView } from '../customer-mail/view.ts'
import { mailSettings } from '../mail-account/settings-store.ts'
import { getSettings } from '../settings/store.ts'

/** A message about a made-up order, from this shop. */
export async function viewOfSample(
  context: ShopContext,
  sample: MailSample,
  { name: group }: MailGroup,
  language: Language,
): Promise<MailView> {
  const { shop, now, services } = context
  const { palette } = await getSettings(context, shop.id)
  const settings = await mailSettings(context, shop.id)
  return sampleView(sample, { group, language, now, shop: shopOf(services.publicUrl, shop, palette, settings) })
}
