import { invitePerson } from '../../access/people/operations.ts'
import { createNote } from '../../orders/notes/operations.ts'
import { after, hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { Principal } from '../../platform/foundation/roles.ts'
import { saveView } from '../../shops/views/operations.ts'
import type { DemoParts } from './parts.ts'
import { perform } from './perform.ts'
import { slug } from './shop.ts'

/** People who work at the shop. Nobody can sign in as one of them: their invitations go to no one. */
const people = [
  { name: 'Mia Sommer', email: 'mia@river-and-pine.example', role: 'admin' },
  { name: 'Jonas Albers', email: 'jonas@river-and-pine.example', role: 'editor' },
  { name: 'Noor Haddad', email: 'noor@river-and-pine.example', role: 'viewer' },
] as const

const notes = [
  {
    trackingNumber: 'H00HXK1357734804',
    author: 'Mia Sommer',
    hoursAgo: 70,
    text: 'Evri confirmed the loss by phone. Claim filed; replacement leaves on Monday.',
  },
  {
    trackingNumber: '992684926428846115',
    author: 'Jonas Albers',
    hoursAgo: 26,
    text: 'Swiss customs want the invoice. Sent it to them and told the customer.',
  },
  {
    trackingNumber: '00340434161094604595',
    author: 'Jonas Albers',
    hoursAgo: 5,
    text: 'House number was missing. Paul gave us 61, back house. Asked DHL to try again.',
  },
] as const

const views = [
  { name: 'Stuck abroad', screen: 'exceptions', query: '?kind=stuck&country=CH' },
  { name: 'Late with DHL', screen: 'exceptions', query: '?kind=late&carrier=dhl' },
] as const

/** People, what they wrote about parcels, and the lists they come back to. */
export async function inviteColleagues(context: ShopContext, { scans }: DemoParts): Promise<void> {
  for (const { name, email, role } of people) {
    await perform(context, invitePerson, { name, email, shops: [{ shop_slug: slug, role }] })
  }
  for (const { trackingNumber, author, hoursAgo, text } of notes) {
    const scan = scans.find((each) => each.trackingNumber === trackingNumber)
    if (scan === undefined) throw new Error(`the demo shop has no parcel ${trackingNumber}`)
    const written = { ...context, now: after(context.now, -hoursAgo * hourMs), principal: writer(context, author) }
    await perform(written, createNote, { order_id: scan.orderId, shipment_id: scan.shipmentId, text })
  }
  for (const { name, ...view } of views) {
    await perform(
      { ...context, principal: writer(context, 'Mia Sommer') },
      saveView,
      { ...view, shared: true },
      { name },
    )
  }
}

function writer({ principal }: ShopContext, name: string): Principal {
  return { ...principal, kind: 'person', name }
}
