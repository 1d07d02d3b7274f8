import { ApiError } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { Named, Type } from '../../platform/foundation/schema.ts'
import type { StoredEvent } from '../shipments/store.ts'
import { findShipment } from '../shipments/store.ts'
import { projectRoute } from './project.ts'
import { stopsOf } from './stops.ts'

const RouteMap = Named(
  'RouteMap',
  Type.Object({
    width: Type.Integer({ examples: [640] }),
    height: Type.Integer({ examples: [300] }),
    land: Type.String({ description: 'The outline of the land, as the path of an SVG', examples: ['M0 0l10 4z'] }),
    stops: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Empty if the carrier named none', examples: ['Leipzig'] }),
        x: Type.Integer({ examples: [320] }),
        y: Type.Integer({ examples: [140] }),
      }),
      { description: 'Where it was scanned, oldest first; empty if no scan says where' },
    ),
  }),
)

export const getRouteMap = operation({
  name: 'getRouteMap',
  summary: "Get a map of a shipment's route",
  description: 'The map that the tracking page shows, as shapes to draw. No map service is called.',
  area: 'Shipments',
  route: 'GET /v1/shops/{slug}/shipments/{shipment_id}/map',
  needs: 'viewer',
  reply: RouteMap,
  errors: ['shipment_not_found'],
  async handle(context, { path }) {
    const shipment = await findShipment(context, path.shipment_id)
    if (shipment === undefined) {
      throw new ApiError('shipment_not_found', `There is no shipment ${path.shipment_id} in this shop.`)
    }
    const stops = stopsOf(shipment.events, nameOf)
    if (stops.length === 0) return { width: 0, height: 0, land: '', stops: [] }
    const { width, height, land, points } = projectRoute(stops)
    return {
      width,
      height,
      land,
      stops: stops.map(({ name }, index) => ({ name, ...(points[index] ?? { x: 0, y: 0 }) })),
    }
  },
})

function nameOf({ location }: StoredEvent): string {
  const name = location?.city ?? location?.name ?? ''
  return typeof name === 'string' ? name : ''
}
