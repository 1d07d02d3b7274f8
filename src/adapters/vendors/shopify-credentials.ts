import { apiKey } from '../credentials.ts'

/** One access token, with which Shopify is a shop system and an integration. */
export const shopifyToken = apiKey({ removal: 'access token', hint: 'The access token of the shop.' })
