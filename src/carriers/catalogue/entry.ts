/** One carrier as the catalogue holds it. */
export interface CatalogueEntry {
  /** What orders and shipments call it: lower-case words joined by hyphens. */
  reference: string
  name: string
  /** ISO 3166-1 codes of the countries where it picks parcels up; empty for those that work everywhere. */
  countries: readonly string[]
  /** The page a customer follows the parcel on, with {tracking_number} and, where it asks for one, {zip_code}; empty: none. */
  trackingUrl: string
  /** Further names that shops and shop systems send as `tracking_company`. */
  aliases: readonly string[]
}
