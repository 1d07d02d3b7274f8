import type { Call } from '../../platform/foundation/call.ts'
import { systemClock } from '../../platform/foundation/clock.ts'
import {
  type CheckOutcome,
  checkFailure,
  checkResultOf,
  missingCredentials,
} from '../../platform/foundation/connection-check.ts'
import { lazyMethods } from '../lazy.ts'
import { aftership } from './aftership/description.ts'
import { dhl } from './dhl/description.ts'
import { easypost } from './easypost/description.ts'
import { fedex } from './fedex/description.ts'
import type {
  AdapterOptions,
  ProviderAccount,
  ProviderDescription,
  PushedMessage,
  TrackingAdapter,
  WebhookReading,
} from './provider.ts'
import { sandbox } from './sandbox/description.ts'
import { ups } from './ups/description.ts'

/** The tracking providers, in the order in which the API lists them. */
export const describedProviders = [aftership, dhl, ups, fedex, easypost, sandbox] as const

export type ProviderName = (typeof describedProviders)[number]['name']
export const providerNames = describedProviders.map(({ name }) => name) as readonly ProviderName[] // names of the list

/** A provider as the service uses it: its description, and its adapter, which is loaded when it is first called. */
export interface TrackingProvider<Name extends string = ProviderName> extends ProviderDescription {
  name: Name
  track: TrackingAdapter['track']
  register?: TrackingAdapter['register']
  readWebhook?: ((message: PushedMessage, secret: string) => Promise<WebhookReading>) | undefined
  /** Makes a documented call that reads and changes nothing, with the account's credentials. */
  checkAccount?: ((call: Call, account: ProviderAccount) => Promise<CheckOutcome>) | undefined
}

declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** The tracking providers of this process. */
    readonly providers: Readonly<Record<ProviderName, TrackingProvider>>
  }
}

/** All tracking providers. Base URLs can be replaced, for tests or a relay. */
export function createProviders(
  baseUrls: Partial<Record<ProviderName, string>> = {},
): Readonly<Record<ProviderName, TrackingProvider>> {
  const entries = describedProviders.map((described) => [
    described.name,
    openProvider(described, { baseUrl: baseUrls[described.name] }),
  ])
  // There is one entry per name, so the record is complete.
  return Object.fromEntries(entries) as Record<ProviderName, TrackingProvider>
}

/** A provider with its adapter, which is loaded when it is first called. */
export function openProvider<Described extends ProviderDescription>(
  description: Described,
  options: AdapterOptions = {},
): TrackingProvider<Described['name']> {
  const { name, abilities, sample }: ProviderDescription = description
  const method = lazyMethods(name, () => description.load().then(({ create }) => create(options)))
  const track: TrackingAdapter['track'] = async (...input) => (await method('track'))(...input)
  return {
    ...description,
    track,
    ...(abilities.includes('register') ? { register: async (...input) => (await method('register'))(...input) } : {}),
    ...(abilities.includes('readWebhook')
      ? { readWebhook: async (...input) => (await method('readWebhook'))(...input) }
      : {}),
    ...(sample ? { checkAccount: checkByTracking(track, sample) } : {}),
  }
}

/**
 * Queries a parcel, which is all that the credentials are used for and changes nothing. A provider that does not know the
 * number has accepted the credentials.
 */
function checkByTracking(
  track: TrackingAdapter['track'],
  sample: { carrierReference: string; trackingNumber: string },
) {
  return async (call: Call, account: ProviderAccount): Promise<CheckOutcome> => {
    const now = systemClock.now()
    const parcel = { ...sample, zipCode: null, countryCode: null, fulfilledAt: now, now }
    const tracked = await track(call, account, [parcel])
    if (tracked.result === 'found') {
      return { result: 'ok', reason: null, status: 200, detail: null, facts: {}, missingPermissions: [] }
    }
    const { status, detail } = tracked
    // Nothing was sent.
    if (status === 0) return missingCredentials
    // It rejects the sample, and not the credentials.
    if (tracked.result === 'rejected' && tracked.key === 'invalid_payload') {
      return checkFailure(status === 404 ? 'not_found' : 'unexpected', detail, status)
    }
    const result =
      tracked.key === 'partner_key_missing_permissions' && status === 400 ? 'unauthorised' : checkResultOf(status)
    return checkFailure(result === 'ok' ? 'unexpected' : result, detail, status)
  }
}
