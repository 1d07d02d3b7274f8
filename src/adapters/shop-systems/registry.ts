import type { ReportedChange, ShopChange, ShopSystemAdapter, ShopSystemDescription } from './shop-system.ts'
import { shopify } from './shopify/description.ts'
import { shopware } from './shopware/description.ts'
import { woocommerce } from './woocommerce/description.ts'

/** The shop systems that orders come from, in the order in which the API lists them. */
export const describedShopSystems = [shopify, shopware, woocommerce] as const

type Described = (typeof describedShopSystems)[number]
export type ShopSystemName = Described['name']
export const shopSystemNames = describedShopSystems.map(({ name }) => name) as readonly ShopSystemName[] // names of the list

/** Those without an app of their own: they sign with the secret of the shop, and are called with the stored credentials. */
export type SigningSystem = Extract<Described, { signsWith: 'shop secret' }>['name']

export const signingSystems = describedShopSystems
  .filter(({ signsWith }) => signsWith === 'shop secret')
  .map(({ name }) => name) as readonly SigningSystem[] // filtered alike

/** A shop system as the service uses it: its description, and its adapter, which is loaded when it is first needed. */
export interface ShopSystem<Reported extends ReportedChange = ReportedChange> extends ShopSystemDescription {
  adapter(): Promise<ShopSystemAdapter<Reported>>
}

type ShopSystems = {
  readonly [Name in ShopSystemName]: ShopSystem<Name extends SigningSystem ? ShopChange : ReportedChange>
}

declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** The shop systems of this process. */
    readonly shopSystems: ShopSystems
  }
}

export function createShopSystems(): ShopSystems {
  const entries = describedShopSystems.map((described: ShopSystemDescription) => {
    let loading: Promise<ShopSystemAdapter> | undefined
    const adapter = () => {
      loading ??= described.load().then(({ adapter }) => adapter)
      return loading
    }
    return [described.name, { ...described, adapter }]
  })
  // There is one entry per name, and the type of its description says what it reports.
  return Object.fromEntries(entries) as ShopSystems
}
