import type { Address } from '../../orders/orders/parts.ts'
import { type City, type CountryCode, city, countries } from './places.ts'

/** A customer. All are invented, and example.com accepts no mail. */
export interface Customer {
  name: string
  street: string
  zipCode: string
  city: City
  country: CountryCode
  province?: string
}

export type CustomerName = keyof typeof customers

export const customers = {
  anna: customer('Anna Brandt', ['Kastanienallee 48', '10119', city('Berlin', 52.5372, 13.4083)], 'DE'),
  jonas: customer('Jonas Weber', ['Lange Reihe 71', '20099', city('Hamburg', 53.5574, 10.0112)], 'DE'),
  miriam: customer('Miriam Vogel', ['Türkenstraße 33', '80799', city('Munich', 48.1501, 11.5769)], 'DE'),
  lukas: customer('Lukas Hartmann', ['Venloer Straße 212', '50823', city('Cologne', 50.9493, 6.9216)], 'DE'),
  sophie: customer('Sophie Krüger', ['Berger Straße 120', '60316', city('Frankfurt am Main', 50.1224, 8.7005)], 'DE'),
  felix: customer('Felix Neumann', ['Böheimstraße 54', '70199', city('Stuttgart', 48.7593, 9.1631)], 'DE'),
  clara: customer('Clara Schulte', ['Lorettostraße 17', '40219', city('Düsseldorf', 51.2137, 6.7672)], 'DE'),
  emil: customer('Emil Lorenz', ['Louisenstraße 26', '01099', city('Dresden', 51.0656, 13.7532)], 'DE'),
  nele: customer('Nele Petersen', ['Holtenauer Straße 89', '24105', city('Kiel', 54.3376, 10.1301)], 'DE'),
  david: customer('David Okafor', ['Rüttenscheider Straße 140', '45131', city('Essen', 51.4339, 7.0036)], 'DE'),
  ida: customer('Ida Sommer', ['Wiehrestraße 9', '79102', city('Freiburg', 47.9841, 7.8563)], 'DE'),
  paul: customer('Paul Reinhardt', ['Karl-Heine-Straße 61', '04229', city('Leipzig', 51.3321, 12.3325)], 'DE'),
  leyla: customer('Leyla Aydın', ['Hermannstraße 158', '12051', city('Berlin', 52.4705, 13.4302)], 'DE'),
  tobias: customer('Tobias Fink', ['Ostertorsteinweg 77', '28203', city('Bremen', 53.0727, 8.8208)], 'DE'),
  hanna: customer('Hanna Maier', ['Fürther Straße 92', '90429', city('Nuremberg', 49.4534, 11.0541)], 'DE'),
  oskar: customer('Oskar Lindner', ['Limmerstraße 44', '30451', city('Hannover', 52.3759, 9.7158)], 'DE'),
  magdalena: customer('Magdalena Gruber', ['Neubaugasse 38', '1070', city('Vienna', 48.2017, 16.3488)], 'AT'),
  stefan: customer('Stefan Pichler', ['Maria-Theresien-Straße 21', '6020', city('Innsbruck', 47.2652, 11.3945)], 'AT'),
  noemi: customer('Noémi Keller', ['Langstrasse 133', '8004', city('Zurich', 47.3779, 8.5274)], 'CH'),
  reto: customer('Reto Amstutz', ['Länggassstrasse 29', '3012', city('Bern', 46.9521, 7.4327)], 'CH'),
  sanne: customer(
    'Sanne de Vries',
    ['Eerste van der Helststraat 40', '1072 GR', city('Amsterdam', 52.355, 4.8926)],
    'NL',
  ),
  bram: customer('Bram Jansen', ['Nieuwe Binnenweg 301', '3021 GH', city('Rotterdam', 51.9145, 4.4592)], 'NL'),
  elise: customer('Elise Peeters', ['Vlaamsekaai 52', '2000', city('Antwerp', 51.2091, 4.3902)], 'BE'),
  camille: customer('Camille Moreau', ['18 rue des Capucins', '69001', city('Lyon', 45.7697, 4.8323)], 'FR'),
  hugo: customer('Hugo Lefèvre', ['7 rue Sainte-Catherine', '33000', city('Bordeaux', 44.8412, -0.5731)], 'FR'),
  emily: customer('Emily Carter', ['27 Gloucester Road', 'BS7 8AD', city('Bristol', 51.4712, -2.5908)], 'GB'),
  oliver: customer('Oliver Hughes', ['112 Leith Walk', 'EH6 5DX', city('Edinburgh', 55.9652, -3.1763)], 'GB'),
  priya: customer('Priya Shah', ['64 Beech Road', 'M21 9EG', city('Manchester', 53.4415, -2.2786)], 'GB'),
  astrid: customer('Astrid Lindqvist', ['Linnégatan 46', '413 08', city('Gothenburg', 57.6957, 11.9522)], 'SE'),
  zofia: customer('Zofia Kowalska', ['ul. Józefa 22', '31-056', city('Kraków', 50.0512, 19.9449)], 'PL'),
  marek: customer('Marek Zieliński', ['ul. Garbary 71', '61-758', city('Poznań', 52.4095, 16.9403)], 'PL'),
  lucia: customer('Lucía Navarro', ['Carrer de Sueca 35', '46006', city('Valencia', 39.4616, -0.3734)], 'ES'),
  giulia: customer('Giulia Conti', ['Via San Donato 58', '10144', city('Turin', 45.0791, 7.6651)], 'IT'),
  grace: customer('Grace Miller', ['418 Prospect Place', '11238', city('New York', 40.6766, -73.964)], 'US', 'NY'),
  ethan: customer('Ethan Brooks', ['95 Congress Street', '04101', city('Portland', 43.6581, -70.2568)], 'US', 'ME'),
}

export function emailOf({ name }: Customer): string {
  const plain = name
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
  return `${plain.replaceAll(/[^a-z]+/g, '.')}@example.com`
}

export function addressOf(customer: Customer): Address & { zip_code: string } {
  return {
    name: customer.name,
    street: customer.street,
    address_line_1: customer.street,
    city: customer.city.name,
    zip_code: customer.zipCode,
    country: countries[customer.country].name,
    country_code: customer.country,
    ...(customer.province ? { province_code: customer.province } : {}),
  }
}

function customer(
  name: string,
  [street, zipCode, city]: [street: string, zipCode: string, city: City],
  country: CountryCode,
  province?: string,
): Customer {
  return { name, street, zipCode, city, country, ...(province ? { province } : {}) }
}
