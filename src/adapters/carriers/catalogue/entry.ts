/** One carrier of the catalogue. */
export interface CatalogueEntry {
  /** The reference used by orders and shipments: lower-case words joined by hyphens. */
  reference: string
  name: string
  /** ISO 3166-1 codes of the countries where it collects parcels; empty if everywhere. */
  countries: readonly string[]
  /** The tracking page, with {tracking_number} and, if required, {zip_code}; empty if none. */
  trackingUrl: string
  /** Other names that shops and shop systems send as `tracking_company`. */
  aliases: readonly string[]
}
