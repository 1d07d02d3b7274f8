import type { CatalogueEntry } from './entry.ts'

/** The United Kingdom and Ireland. */
export const britishIsles: readonly CatalogueEntry[] = [
  {
    reference: 'royal-mail',
    name: 'Royal Mail',
    countries: ['GB'],
    trackingUrl: 'https://www.royalmail.com/track-your-item#/tracking-results/{tracking_number}',
    aliases: [
      'RoyalMail',
      'Royal Mail Tracked 24',
      'Royal Mail Tracked 48',
      'Royal Mail Special Delivery',
      'Royal Mail Group',
      'Royal Mail International',
      'Royal Mail 1st Class Signed For',
    ],
  },
  {
    reference: 'parcelforce',
    name: 'Parcelforce Worldwide',
    countries: ['GB'],
    trackingUrl: 'https://www.parcelforce.com/track-trace?trackNumber={tracking_number}',
    aliases: ['Parcelforce', 'Parcel Force', 'Parcelforce UK'],
  },
  {
    reference: 'evri',
    name: 'Evri',
    countries: ['GB'],
    trackingUrl: 'https://www.evri.com/track/parcel/{tracking_number}',
    aliases: ['Hermes UK', 'myHermes UK', 'EVRi', 'Hermes World UK', 'Evri UK', 'Hermes Parcelnet'],
  },
  {
    reference: 'dpd-uk',
    name: 'DPD UK',
    countries: ['GB'],
    trackingUrl: 'https://track.dpd.co.uk/search?reference={tracking_number}&postcode={zip_code}',
    aliases: ['DPD GB', 'DPD Local', 'DPD Local UK', 'Interlink Express', 'DPD United Kingdom', 'DPD Group UK'],
  },
  {
    reference: 'yodel',
    name: 'Yodel',
    countries: ['GB'],
    trackingUrl: 'https://www.yodel.co.uk/tracking/{tracking_number}/{zip_code}',
    aliases: ['Yodel Direct', 'Yodel UK', 'Home Delivery Network', 'HDNL', 'YODL'],
  },
  {
    reference: 'dx',
    name: 'DX',
    countries: ['GB', 'IE'],
    trackingUrl: 'https://my.dxdelivery.com/?id={tracking_number}',
    aliases: ['DX Delivery', 'DX Freight', 'DX Express', 'DX Group'],
  },
  {
    reference: 'tuffnells',
    name: 'Tuffnells',
    countries: ['GB'],
    trackingUrl: 'https://www.tuffnells.co.uk/track-and-trace?reference={tracking_number}',
    aliases: ['Tuffnells Parcels Express'],
  },
  {
    reference: 'an-post',
    name: 'An Post',
    countries: ['IE'],
    trackingUrl: 'https://www.anpost.com/Post-Parcels/Track/History?item={tracking_number}',
    aliases: ['AnPost', 'Irish Post', 'An Post Ireland'],
  },
  {
    reference: 'fastway-ireland',
    name: 'Fastway Ireland',
    countries: ['IE'],
    trackingUrl: 'https://www.fastway.ie/track-your-parcel?l={tracking_number}',
    aliases: ['Fastway IE', 'Fastway Couriers Ireland', 'Parcel Connect'],
  },
]
