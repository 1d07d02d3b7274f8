import type { ScanLocation } from '../provider.ts'

/** A place of the sandbox. */
export interface Place {
  location: ScanLocation
  timezone: string
}

interface Country {
  country_code: string
  country: string
  timezone: string
}

const germany: Country = { country_code: 'DE', country: 'Germany', timezone: 'Europe/Berlin' }
const netherlands: Country = { country_code: 'NL', country: 'Netherlands', timezone: 'Europe/Amsterdam' }
const austria: Country = { country_code: 'AT', country: 'Austria', timezone: 'Europe/Vienna' }
const france: Country = { country_code: 'FR', country: 'France', timezone: 'Europe/Paris' }

/** Real towns with coordinates, so that a map can show the route; the buildings are invented. */
export const places = {
  hamburg: placeIn(germany, ['Hamburg', '21129'], [53.5321, 9.8789], 'Parcel centre Hamburg'),
  bremen: placeIn(germany, ['Bremen', '28197'], [53.0906, 8.7346], 'Parcel centre Bremen'),
  hannover: placeIn(germany, ['Hannover', '30855'], [52.4437, 9.6881], 'Parcel centre Hannover'),
  kassel: placeIn(germany, ['Kassel', '34123'], [51.2961, 9.5319], 'Transport hub Kassel'),
  leipzig: placeIn(germany, ['Leipzig', '04435'], [51.4139, 12.2364], 'Air hub Leipzig'),
  berlin: placeIn(germany, ['Berlin', '12099'], [52.4556, 13.3925], 'Parcel centre Berlin'),
  berlinDepot: placeIn(germany, ['Berlin', '10115'], [52.5323, 13.3846], 'Delivery depot Berlin Mitte'),
  koeln: placeIn(germany, ['Köln', '50829'], [50.9748, 6.8681], 'Parcel centre Köln'),
  koelnDepot: placeIn(germany, ['Köln', '50667'], [50.9384, 6.9599], 'Delivery depot Köln'),
  frankfurt: placeIn(germany, ['Frankfurt am Main', '60314'], [50.1136, 8.7263], 'Delivery depot Frankfurt'),
  nuernberg: placeIn(germany, ['Nürnberg', '90431'], [49.4467, 11.0165], 'Transport hub Nürnberg'),
  muenchen: placeIn(germany, ['München', '81249'], [48.1562, 11.4002], 'Parcel centre München'),
  muenchenDepot: placeIn(germany, ['München', '80331'], [48.1374, 11.5755], 'Delivery depot München'),
  rotterdam: placeIn(netherlands, ['Rotterdam', '3089'], [51.8853, 4.4235], 'Port warehouse Rotterdam'),
  venlo: placeIn(netherlands, ['Venlo', '5928'], [51.3953, 6.1137], 'Transport hub Venlo'),
  wien: placeIn(austria, ['Wien', '1230'], [48.1369, 16.2897], 'Parcel centre Wien'),
  wienDepot: placeIn(austria, ['Wien', '1010'], [48.2085, 16.3721], 'Delivery depot Wien'),
  paris: placeIn(france, ['Gennevilliers', '92230'], [48.9332, 2.2936], 'Parcel centre Paris Nord'),
  lyon: placeIn(france, ['Lyon', '69007'], [45.7317, 4.8361], 'Delivery depot Lyon'),
  strasbourg: placeIn(france, ['Strasbourg', '67100'], [48.5536, 7.7856], 'Transport hub Strasbourg'),
} as const satisfies Record<string, Place>

export type PlaceName = keyof typeof places

function placeIn(
  { country_code, country, timezone }: Country,
  [city, postal_code]: [city: string, postalCode: string],
  [latitude, longitude]: [latitude: number, longitude: number],
  place: string,
): Place {
  return { location: { city, country, country_code, postal_code, place, latitude, longitude }, timezone }
}
