import type { Call } from './call.ts'

/**
 * Hosts that the credentials of a system may be sent to: those that its documentation names; for a system that
 * merchants run themselves, the one host that the credentials were given for.
 */
export interface CredentialRule {
  /** Its name for people. */
  label: string
  /** `api.example.com`, or `*.example.com` for any host below it. */
  hosts: readonly string[]
}

/** The credentials must not be sent to this host. Nothing was sent. */
export class CredentialHostError extends Error {
  /** The same address by https, if that is all it lacks. */
  readonly httpsAddress: string | undefined

  constructor(message: string, httpsAddress?: string) {
    super(message)
    this.name = 'CredentialHostError'
    this.httpsAddress = httpsAddress
  }
}

/**
 * The call, for requests with credentials: a request to a host that neither the rule nor the operator's list names is
 * rejected before anything is sent. Every such request goes through it, so that no address from a setting or a
 * response can lead a credential elsewhere.
 */
export function guardCredentials(call: Call, rule: CredentialRule, extraHosts: readonly string[]): Call {
  return async (request) => {
    checkCredentialHost(request.url, rule, extraHosts)
    return call(request)
  }
}

/** Throws if the credentials must not be sent to the address. */
export function checkCredentialHost(address: string, rule: CredentialRule, extraHosts: readonly string[]): void {
  if (!URL.canParse(address)) throw new CredentialHostError(`The address for ${rule.label} cannot be read.`)
  const { hostname, protocol } = new URL(address)
  if (isListed(hostname, extraHosts)) return
  if (!isListed(hostname, rule.hosts)) {
    throw new CredentialHostError(
      `${hostname} is not a host of ${rule.label}, so its credentials are not sent there. An operator can allow the host by CREDENTIAL_HOSTS.`,
    )
  }
  if (protocol !== 'https:') {
    throw new CredentialHostError(
      `The credentials for ${rule.label} are sent by https only, not to ${protocol}//${hostname}.`,
      `https://${hostname}`,
    )
  }
}

function isListed(hostname: string, hosts: readonly string[]): boolean {
  // A final dot names the same host.
  const host = hostname.toLowerCase().replace(/\.$/, '')
  return hosts.some((listed) => (listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed))
}

/**
 * The entries of a list such as `relay.example, *.shops.example`; `.shops.example` is the same as `*.shops.example`, and
 * neither names `shops.example` itself. The first entry that is not a host is returned as `wrong`.
 */
export function readHosts(text: string): { hosts: string[] } | { wrong: string } {
  const hosts: string[] = []
  for (const entry of text.split(',').map((part) => part.trim().toLowerCase())) {
    if (entry === '') continue
    const host = entry.startsWith('.') ? `*${entry}` : entry
    const name = host.startsWith('*.') ? host.slice(2) : host
    // A whole top-level domain has no single owner.
    if (!isHost(name) || (name !== host && !name.includes('.'))) return { wrong: entry }
    hosts.push(host)
  }
  return { hosts }
}

/** A host and nothing around it: no scheme, port, path or name of a user. */
function isHost(name: string): boolean {
  return !name.includes('*') && URL.canParse(`https://${name}/`) && new URL(`https://${name}/`).hostname === name
}
