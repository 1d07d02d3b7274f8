import type { Result, Schemas } from 'doorstep-client'

type Phase = Schemas['ParcelSummary']['phase']

const phases: Record<Phase, string> = {
  order_created: 'has been ordered and not been sent yet',
  order_processed: 'has been packed; the carrier has not scanned it yet',
  order_cancelled: 'was cancelled',
  in_transit: 'is on its way',
  in_delivery: 'is out for delivery',
  collect: 'waits at a pick-up point',
  delivered: 'was delivered',
  delivery_failed: 'could not be delivered',
  return_created: 'is to be sent back by the customer',
  return_transit: 'is on its way back',
  return_received: 'has arrived back at the shop',
  return_failed: 'could not be sent back',
  returned: 'was sent back',
}

/** The meaning of a phase, as text that follows "The parcel". */
export function phaseInWords(phase: Phase): string {
  return phases[phase]
}

/** `OUT_FOR_DELIVERY` as "out for delivery". Only for names from the catalogue or an enumeration. */
export function nameInWords(name: string): string {
  return name.toLowerCase().replaceAll('_', ' ')
}

/** An instant that the API returned, to the minute: "2026-11-16 09:30 UTC". */
export function timeInWords(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** "1 parcel", "2 parcels". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

type Delivery = Schemas['Delivery']
export type FailureReason = NonNullable<Delivery['attempts'][number]['reason']>

const failures: Record<FailureReason, string> = {
  dns: "the receiver's name has no address",
  private_address: "the receiver's address is in a private network",
  refused: 'the receiver refused the connection',
  unreachable: 'the receiver could not be reached',
  tls: "the receiver's certificate is not valid",
  timeout: 'the receiver did not respond in time',
  interrupted: 'the connection broke',
  redirect: 'the receiver redirects, which is not followed',
  unauthorized: 'the receiver rejected the credentials',
  not_found: 'the address does not exist at the receiver',
  rate_limited: 'the receiver limits how much it takes',
  rejected: 'the receiver rejected it',
  server_error: 'the receiver has a fault',
  endpoint_deleted: 'the endpoint was deleted',
  no_credentials: 'no credentials are set for the receiver',
  not_sent: 'no attempt was possible',
}

export function failureInWords(reason: FailureReason): string {
  return failures[reason]
}

type Suppression = Result<'listMailSuppressions'>[number]

const suppressions: Record<Suppression['reason'], string> = {
  bounced: 'a message to it bounced for good',
  complained: 'its owner marked a message as spam',
  rejected: 'its mail server rejected messages on two days',
  manual: 'a colleague stopped it',
  unsubscribed: 'its owner wants no promotion',
}

export function suppressionInWords(reason: Suppression['reason']): string {
  return suppressions[reason]
}
