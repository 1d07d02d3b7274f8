import { eventNames, flags, getMeaning, phases } from '../../platform/catalogue/catalogue.ts'
import { messagesOf } from '../../platform/catalogue/texts/translate.ts'
import { chooseLanguage } from '../../platform/foundation/languages.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { Named, Nullable, OneOf, Type } from '../../platform/foundation/schema.ts'

const EventDescription = Named(
  'EventDescription',
  Type.Object({
    event_name: Type.String({ examples: ['OUT_FOR_DELIVERY'] }),
    text: Type.String({ description: 'In the language of the request', examples: ['Out for delivery'] }),
    phase: OneOf(phases, { examples: ['in_delivery'] }),
    flag: OneOf(flags, { examples: ['normal'] }),
    event_group: Nullable(
      Type.String({
        description: 'The group under which it is published; null: it is not published',
        examples: ['shipment_out_for_delivery'],
      }),
    ),
    return_event_group: Nullable(
      Type.String({ description: 'The same for parcels that a customer sends', examples: ['return_in_transit'] }),
    ),
    moves_phase: Type.Boolean({ description: "Whether it sets the shipment's phase and flag", examples: [true] }),
  }),
)

export const listEventNames = operation({
  name: 'listEventNames',
  summary: 'List the event names',
  description: 'Returns every event name that a shipment can have, with what it means and its text for customers.',
  area: 'Events',
  route: 'GET /v1/event-names',
  needs: 'viewer',
  reply: Type.Array(EventDescription),
  async handle({ acceptLanguage }) {
    const { events } = messagesOf(chooseLanguage(acceptLanguage, 'en'))
    return eventNames.map((name) => {
      const { phase, flag, group, returnGroup, movesPhase } = getMeaning(name)
      return {
        event_name: name,
        text: events[name] ?? name,
        phase,
        flag,
        event_group: group ?? null,
        return_event_group: returnGroup ?? null,
        moves_phase: movesPhase,
      }
    })
  },
})
