import type { Site } from '../platform/foundation/page-route.ts'
import { scriptPage } from './assets.ts'
import { claimPages } from './claim/routes.ts'
import { renderErrorPage } from './error-page.ts'
import { lookupPages } from './lookup.ts'
import { mailLinkPage } from './mail-link.ts'
import { orderPages } from './order/pages.ts'
import { createOrderWatch } from './order/watch.ts'
import { unsubscribePages } from './unsubscribe/pages.ts'
import { withdrawalPages } from './withdrawal/routes.ts'

/** The pages that a shop's customers see. */
export function createTrackingSite(): Site {
  return {
    pages: [
      scriptPage,
      ...lookupPages(),
      ...orderPages(createOrderWatch()),
      ...claimPages,
      ...withdrawalPages(),
      ...unsubscribePages,
      mailLinkPage,
    ],
    errorPage: renderErrorPage,
  }
}
