import type { ScanLocation } from '../provider.ts'

/** A place of the sandbox. */
export interface Place {
  location: ScanLocation
  timezone: string
}

/** Real towns with coordinates, so that a map can show the route; the buildings are invented. */
export const places = {
  hamburg: germanPlace('Hamburg', '21129', 53.5321, 9.8789, 'Parcel centre Hamburg'),
  bremen: germanPlace('Bremen', '28197', 53.0906, 8.7346, 'Parcel centre Bremen'),
  hannover: germanPlace('Hannover', '30855', 52.4437, 9.6881, 'Parcel centre Hannover'),
  kassel: germanPlace('Kassel', '34123', 51.2961, 9.5319, 'Transport hub Kassel'),
  leipzig: germanPlace('Leipzig', '04435', 51.4139, 12.2364, 'Air hub Leipzig'),
  berlin: germanPlace('Berlin', '12099', 52.4556, 13.3925, 'Parcel centre Berlin'),
  berlinDepot: germanPlace('Berlin', '10115', 52.5323, 13.3846, 'Delivery depot Berlin Mitte'),
  koeln: germanPlace('Köln', '50829', 50.9748, 6.8681, 'Parcel centre Köln'),
  koelnDepot: germanPlace('Köln', '50667', 50.9384, 6.9599, 'Delivery depot Köln'),
  frankfurt: germanPlace('Frankfurt am Main', '60314', 50.1136, 8.7263, 'Delivery depot Frankfurt'),
  nuernberg: germanPlace('Nürnberg', '90431', 49.4467, 11.0165, 'Transport hub Nürnberg'),
  muenchen: germanPlace('München', '81249', 48.1562, 11.4002, 'Parcel centre München'),
  muenchenDepot: germanPlace('München', '80331', 48.1374, 11.5755, 'Delivery depot München'),
  rotterdam: placeIn(
    'NL',
    'Netherlands',
    'Europe/Amsterdam',
    'Rotterdam',
    '3089',
    51.8853,
    4.4235,
    'Port warehouse Rotterdam',
  ),
  venlo: placeIn('NL', 'Netherlands', 'Europe/Amsterdam', 'Venlo', '5928', 51.3953, 6.1137, 'Transport hub Venlo'),
  wien: placeIn('AT', 'Austria', 'Europe/Vienna', 'Wien', '1230', 48.1369, 16.2897, 'Parcel centre Wien'),
  wienDepot: placeIn('AT', 'Austria', 'Europe/Vienna', 'Wien', '1010', 48.2085, 16.3721, 'Delivery depot Wien'),
  paris: placeIn('FR', 'France', 'Europe/Paris', 'Gennevilliers', '92230', 48.9332, 2.2936, 'Parcel centre Paris Nord'),
  lyon: placeIn('FR', 'France', 'Europe/Paris', 'Lyon', '69007', 45.7317, 4.8361, 'Delivery depot Lyon'),
  strasbourg: placeIn(
    'FR',
    'France',
    'Europe/Paris',
    'Strasbourg',
    '67100',
    48.5536,
    7.7856,
    'Transport hub Strasbourg',
  ),
} as const satisfies Record<string, Place>

export type PlaceName = keyof typeof places

function germanPlace(city: string, postalCode: string, latitude: number, longitude: number, place: string): Place {
  return placeIn('DE', 'Germany', 'Europe/Berlin', city, postalCode, latitude, longitude, place)
}

function placeIn(
  country_code: string,
  country: string,
  timezone: string,
  city: string,
  postal_code: string,
  latitude: number,
  longitude: number,
  place: string,
): Place {
  return { location: { city, country, country_code, postal_code, place, latitude, longitude }, timezone }
}
