import type { AccountSettings } from '../integration.ts'

export const ownDomains = ['.api.inxmail-commerce.com', '.api.inxmail.com']

/** A space's id, or its full API host: spaces of the Inxmail Platform have their own domain. */
export function findSpaceUrl(settings: AccountSettings): string | undefined {
  const instance = settings.instance_id?.trim().toLowerCase() ?? ''
  const domain = ownDomains.find((own) => instance.endsWith(own)) ?? ''
  const id = domain === '' ? instance : instance.slice(0, -domain.length)
  // Anything else could send the credentials to a host that is not Inxmail's.
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(id)) return undefined
  return `https://${id}${domain === '' ? ownDomains[0] : domain}`
}
