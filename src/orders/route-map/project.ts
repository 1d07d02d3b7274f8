import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type GeoProjection, type GeoStream, geoBounds, geoMercator, geoStream } from 'd3-geo'
import type { Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** A stop on a parcel's route. */
export interface Stop {
  name: string
  longitude: number
  latitude: number
}

const width = 640
const height = 300
const margin = 56
/** Beyond this zoom, a map of countries shows only one colour. */
const nearest = 2_600
/** From this scale on, the coarse outlines look jagged. */
const fineFrom = 420

/** A route on a map of countries: positions of the stops, and the outline of the land as an SVG path. */
export interface RouteMap {
  width: number
  height: number
  land: string
  points: { x: number; y: number }[]
}

/** The same for the same stops. It takes milliseconds: a caller that shows a map often should keep it. */
export function projectRoute(stops: readonly Stop[]): RouteMap {
  const projection = projectionFor(stops)
  const points = stops.map(({ longitude, latitude }) => {
    const [x, y] = projection([longitude, latitude]) ?? [0, 0]
    return { x: Math.round(x), y: Math.round(y) }
  })
  return { width, height, land: outlines(projection), points }
}

/** Rotated so that the route is in the centre, even across the 180th meridian. */
function projectionFor(stops: readonly Stop[]): GeoProjection {
  const coordinates = stops.map(({ longitude, latitude }): [number, number] => [longitude, latitude])
  const way = { type: 'MultiPoint' as const, coordinates }
  const [[west, south], [east, north]] = geoBounds(way)
  const middle = west <= east ? (west + east) / 2 : (west + east + 360) / 2
  const projection = geoMercator().rotate([-middle, 0]).precision(0)
  if (west !== east || south !== north) {
    const frame: [[number, number], [number, number]] = [
      [margin, margin],
      [width - margin, height - margin],
    ]
    projection.fitExtent(frame, way)
  }
  if (!(projection.scale() <= nearest) || (west === east && south === north)) {
    projection.scale(nearest).translate([0, 0])
    const [x, y] = projection([middle, (south + north) / 2]) ?? [0, 0]
    projection.translate([width / 2 - x, height / 2 - y])
  }
  return projection.clipExtent([
    [-4, -4],
    [width + 4, height + 4],
  ])
}

/** The maximum length of the SVG: a map accompanies the text, and must not outweigh it. */
const maxCharacters = 7_000

/** The visible land as one path, simplified for a small picture. */
function outlines(projection: GeoProjection): string {
  const rings = new Rings()
  const stream = projection.stream(rings)
  const isInView = viewOf(projection)
  for (const polygon of polygons(projection.scale() >= fineFrom ? '50m' : '110m')) {
    if (isInView(polygon)) geoStream(polygon.shape, stream)
  }
  let path = ''
  for (const minDistance of [2, 3, 5, 8, 13]) {
    path = rings.all.map((ring) => writeRing(ring, minDistance)).join('')
    if (path.length <= maxCharacters) break
  }
  return path
}

/** Whether part of a polygon may be visible. A view across the 180th meridian is compared on both sides. */
function viewOf(projection: GeoProjection): (polygon: LandPolygon) => boolean {
  const corners = [projection.invert?.([0, 0]), projection.invert?.([width, height])]
  const [[west = -180, north = 90] = [], [east = 180, south = -90] = []] = corners.map((corner) => corner ?? undefined)
  const last = east < west ? east + 360 : east
  return (polygon) => {
    if (polygon.north < south || polygon.south > north) return false
    return [-360, 0, 360].some((turn) => polygon.east + turn >= west && polygon.west + turn <= last)
  }
}

type Point = [number, number]

/** Collects the rings of projected polygons. */
class Rings implements GeoStream {
  readonly all: Point[][] = []
  #ring: Point[] = []

  point(x: number, y: number): void {
    this.#ring.push([x, y])
  }

  lineStart(): void {
    this.#ring = []
  }

  lineEnd(): void {
    this.all.push(this.#ring)
  }

  polygonStart(): void {}
  polygonEnd(): void {}
  sphere(): void {}
}

/** A ring in integers, each point relative to the previous one; empty if it is too small to see. */
function writeRing(ring: readonly Point[], minDistance: number): string {
  let x = Number.NaN
  let y = Number.NaN
  let path = ''
  let count = 0
  for (const point of ring) {
    const [right, down] = [Math.round(point[0]) - x, Math.round(point[1]) - y]
    if (Math.abs(right) + Math.abs(down) < minDistance) continue
    if (count === 0) path = `M${Math.round(point[0])} ${Math.round(point[1])}l`
    else path += `${right < 0 || count === 1 ? '' : ' '}${right}${down < 0 ? '' : ' '}${down}`
    x = Math.round(point[0])
    y = Math.round(point[1])
    count += 1
  }
  return count < 4 ? '' : `${path}z`
}

interface LandPolygon {
  shape: Polygon
  west: number
  south: number
  east: number
  north: number
}

const loaded = new Map<string, LandPolygon[]>()
const packages = createRequire(import.meta.url)

/** Loaded when the first map is drawn. */
function polygons(detail: '50m' | '110m'): LandPolygon[] {
  const known = loaded.get(detail)
  if (known) return known
  const file = packages.resolve(`world-atlas/countries-${detail}.json`)
  // The shape that the package documents.
  const topology = JSON.parse(readFileSync(file, 'utf8')) as Topology<{ countries: GeometryCollection }>
  const made = feature(topology, topology.objects.countries).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return [toLand(geometry.coordinates)]
    return geometry.type === 'MultiPolygon' ? geometry.coordinates.map(toLand) : []
  })
  loaded.set(detail, made)
  return made
}

function toLand(coordinates: Position[][]): LandPolygon {
  const longitudes = coordinates[0]?.map(([longitude = 0]) => longitude) ?? []
  const latitudes = coordinates[0]?.map(([, latitude = 0]) => latitude) ?? []
  return {
    shape: { type: 'Polygon', coordinates },
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
  }
}
