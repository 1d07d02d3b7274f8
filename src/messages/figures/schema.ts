import { Day, SummaryQuery } from '../../figures/analytics/schema.ts'
import { Named, Type } from '../../platform/foundation/schema.ts'
import { linkKinds } from './links.ts'

export const MailFiguresQuery = Type.Object({ from: SummaryQuery.properties.from, to: SummaryQuery.properties.to })

export const MailFigures = Named(
  'MailFigures',
  Type.Object({
    from: Day,
    to: Day,
    counts_clicks: Type.Boolean({ description: 'Whether the shop counts clicks at present', examples: [false] }),
    sent: Type.Integer({ description: 'Messages that mail servers accepted', examples: [412] }),
    clicks: Type.Integer({ examples: [96] }),
    days: Type.Array(
      Type.Object({
        day: Day,
        event_group: Type.String({ examples: ['shipment_out_for_delivery'] }),
        sent: Type.Integer({ examples: [12] }),
        clicks: Type.Record(Type.String(), Type.Integer(), {
          description: `By what the link leads to: ${linkKinds.join(', ')}`,
          examples: [{ tracking: 4 }],
        }),
      }),
      { description: 'Days and groups with any, oldest first' },
    ),
  }),
)
