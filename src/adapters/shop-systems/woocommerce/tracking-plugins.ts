import type { Fields } from '../read-fields.ts'
import { fromDhl, fromMyParcel, fromShiptastic, fromWooCommerceShipping } from './label-plugins.ts'
import { type Meta, metaOf, type PluginTracking } from './plugin-fields.ts'
import {
  fromAfterShip,
  fromOrdersTracking,
  fromParcelPanel,
  fromPlainFields,
  fromShipmentTracking,
  fromYith,
} from './tracking-lists.ts'

/** Those that say most of a parcel come first: of a number that occurs twice, the first counts. */
const readers: ((meta: Meta, order: Fields) => PluginTracking[])[] = [
  fromShipmentTracking,
  fromAfterShip,
  fromParcelPanel,
  fromOrdersTracking,
  fromShiptastic,
  fromWooCommerceShipping,
  fromDhl,
  fromMyParcel,
  fromYith,
  fromPlainFields,
]

/** The numbers of all plug-ins. A shop may have switched plug-ins, so a number may occur twice. */
export function pluginTrackings(order: Fields): PluginTracking[] {
  const meta = metaOf(order)
  const all = readers.flatMap((read) => read(meta, order))
  return all.filter(({ number }, index) => all.findIndex((other) => other.number === number) === index)
}
