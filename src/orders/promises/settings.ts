/** A shop's settings for its promises, as they are stored. */
export interface PromiseSettings {
  /** The share of parcels that arrive by the latest day. */
  percentile: number
  /** A parcel is at risk if its chance to arrive by the end of its window is below this. */
  at_risk_below: number
  warehouses: Warehouse[]
  shipping_classes: ShippingClass[]
  methods: PromiseMethod[]
}

export interface Warehouse {
  name: string
  country_code: string
  timezone: string
  /** HH:MM by weekday, 1 to 7. */
  cut_offs: Partial<Record<string, string>>
  handling_days: number
  closed_days: string[]
}

export interface ShippingClass {
  name: string
  handling_days: number
  products: string[]
}

export interface PromiseMethod {
  name: string
  warehouse: string
  carrier_reference: string | null
  service: string | null
  countries: string[] | null
  shipping_classes: string[] | null
  table_days: { min: number; max: number } | null
}

export const defaultSettings: PromiseSettings = {
  percentile: 0.9,
  at_risk_below: 0.5,
  warehouses: [],
  shipping_classes: [],
  methods: [],
}
