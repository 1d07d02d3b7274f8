import { mailSettings } from '../credentials/mail-account/settings-store.ts'
import { openCountedLink } from '../messages/figures/links.ts'
import { countClick } from '../messages/figures/store.ts'
import { ApiError } from '../platform/foundation/errors.ts'
import { page, redirect } from '../platform/foundation/page-route.ts'
import { webAddress } from '../platform/foundation/web-address.ts'
import { isCounted } from './order/views.ts'

/** Counts a click on a link of a message and redirects, only to a target that we have signed. */
export const mailLinkPage = page({
  name: 'followMailLink',
  route: 'GET /track/{slug}/mail-link/{token}',
  async handle(context, request) {
    const { shop } = context
    const link = openCountedLink(context, shop.id, request.path.token)
    const address = webAddress(link?.url)
    if (link === undefined || address === undefined) throw new ApiError('route_not_found', 'There is no such page.')
    const { click_counting: counts } = await mailSettings(context, shop.id)
    if (counts && isCounted(request)) {
      const { group, kind } = link
      // If it cannot be counted, the link works all the same.
      await countClick(context, { shopId: shop.id, at: context.now, group, kind }).catch((err) => {
        context.log.warn({ err }, 'a click on a link of a message was not counted')
      })
    }
    return redirect(address)
  },
})
