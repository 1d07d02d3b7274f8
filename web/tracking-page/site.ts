import type { Site } from '../../src/foundation/page-route.ts'
import { scriptPage } from './assets.ts'
import { claimPages } from './claim/routes.ts'
import { renderErrorPage } from './error-page.ts'
import { createLookupLimits } from './lookup/limits.ts'
import { lookupPages } from './lookup/pages.ts'
import { orderPages } from './order/pages.ts'
import { createOrderWatch } from './order/watch.ts'

/** The pages that a shop's customers see. */
export function createTrackingSite(): Site {
  return {
    pages: [scriptPage, ...lookupPages(createLookupLimits()), ...orderPages(createOrderWatch()), ...claimPages],
    errorPage: renderErrorPage,
  }
}
