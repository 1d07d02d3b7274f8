import { useQuery } from '@tanstack/react-query'
import { read } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Card } from '../../kit/page.tsx'
import { t } from '../../texts/texts.ts'

/** A map of countries with the scans of a parcel. Nothing is shown before a scan has a place. */
export function RouteMap({ shipmentId }: { shipmentId: string }) {
  const slug = useSlug()
  const { data: map } = useQuery(
    read('/v1/shops/{slug}/shipments/{shipment_id}/map', { params: { path: { slug, shipment_id: shipmentId } } }),
  )
  if (map === undefined || map.stops.length === 0) return null
  const last = map.stops.at(-1)
  const names = [...new Set(map.stops.map(({ name }) => name).filter((name) => name !== ''))]
  return (
    <Card title={t('shipments.map')} isFlush>
      <figure className="route-map">
        <svg viewBox={`0 0 ${map.width} ${map.height}`} aria-hidden="true">
          <path className="land" d={map.land} />
          <polyline className="way" points={map.stops.map(({ x, y }) => `${x},${y}`).join(' ')} />
          {map.stops.slice(0, -1).map(({ x, y }) => (
            <circle key={`${x} ${y}`} className="stop" cx={x} cy={y} r="4" />
          ))}
          {last && <circle className="here" cx={last.x} cy={last.y} r="8" />}
        </svg>
        <figcaption className="small soft">
          {names.length > 0 ? names.join(' → ') : t('shipments.map_unnamed')}
        </figcaption>
      </figure>
    </Card>
  )
}
