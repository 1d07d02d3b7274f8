/** The time zone of a country; undefined if it has several, or is not known. */
export function zoneOfCountry(countryCode: string | null | undefined): string | undefined {
  return zones.get((countryCode ?? '').toUpperCase())
}

/** Countries where everyone, or nearly everyone, has the same time. */
const zones = new Map(
  `AT Europe/Vienna,BE Europe/Brussels,BG Europe/Sofia,CH Europe/Zurich,CY Asia/Nicosia,CZ Europe/Prague,DE Europe/Berlin,
  DK Europe/Copenhagen,EE Europe/Tallinn,ES Europe/Madrid,FI Europe/Helsinki,FR Europe/Paris,GB Europe/London,
  GR Europe/Athens,HR Europe/Zagreb,HU Europe/Budapest,IE Europe/Dublin,IS Atlantic/Reykjavik,IT Europe/Rome,JP Asia/Tokyo,
  LI Europe/Vaduz,LT Europe/Vilnius,LU Europe/Luxembourg,LV Europe/Riga,MT Europe/Malta,NL Europe/Amsterdam,
  NO Europe/Oslo,NZ Pacific/Auckland,PL Europe/Warsaw,PT Europe/Lisbon,RO Europe/Bucharest,RS Europe/Belgrade,
  SE Europe/Stockholm,SG Asia/Singapore,SI Europe/Ljubljana,SK Europe/Bratislava,TR Europe/Istanbul,UA Europe/Kyiv`
    .split(',')
    .map((entry): [string, string] => {
      const [country = '', zone = ''] = entry.trim().split(' ')
      return [country, zone]
    }),
)
