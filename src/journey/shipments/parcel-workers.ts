import type { EnrolledParcel } from './enrol-store.ts'

/** The workers of this process that poll tracking providers, as the code that enrols parcels sees them. */
export interface ParcelWorkers {
  /** These parcels are to be polled; without any, there is other work about parcels. */
  wake(parcels?: EnrolledParcel[]): void
}

declare module '../../foundation/services.ts' {
  interface Services {
    readonly parcels: ParcelWorkers
  }
}

/** Of a node that only answers requests: other nodes find the work when they sweep. */
export const noParcelWorkers: ParcelWorkers = { wake() {} }
