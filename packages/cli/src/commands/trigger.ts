import { command } from '../frame/command.ts'
import { findEventName, recordEvent } from './record-event.ts'
import { createSampleOrder, randomEnding } from './sample-order.ts'

export const trigger = command({
  name: 'trigger',
  summary: 'Make one event happen, to test your receiver',
  details:
    'Creates a sample order with a parcel and records the event for it, so that webhooks, integrations and messages follow as\n' +
    'they would in earnest. --parcel uses a parcel that you have. The event is a name, or a phase such as "delivered".',
  needs: 'shop',
  arguments: [{ name: 'event', summary: 'what should happen, such as OUT_FOR_DELIVERY or delivered' }],
  options: {
    parcel: { type: 'string', value: 'NUMBER', summary: 'The tracking number of a parcel; otherwise a sample is made' },
    email: { type: 'string', value: 'ADDRESS', summary: 'The customer of the sample, to see the messages yourself' },
  },
  examples: [
    { line: 'trigger delivered', says: 'A delivery; "doorstep listen" in another terminal shows what is sent' },
    { line: 'trigger DELIVERY_ATTEMPTED --parcel 00340434161094042557', says: 'For a parcel of the shop' },
  ],
  async run({ client, shop, arguments: { event }, options: { parcel, email }, io, output }) {
    const name = await findEventName(client, event)
    const made = parcel === undefined
    const order = made
      ? await createSampleOrder(
          client,
          shop,
          { trackingNumber: `SAMPLE-${randomEnding()}`, carrier: undefined },
          { email, now: io.now() },
        )
      : undefined
    const number = parcel ?? order?.tracking_number ?? ''
    await recordEvent(client, shop, { name, id: number, idType: 'tracking_number', time: undefined })
    output.result(
      { event: name, tracking_number: number, order_number: order?.order_number ?? null, page: order?.page ?? null },
      () =>
        output.fields([
          ['event', name],
          ['parcel', number],
          ...(order
            ? ([
                ['order', order.order_number],
                ['page', order.page],
              ] as const)
            : []),
        ]),
    )
  },
})
