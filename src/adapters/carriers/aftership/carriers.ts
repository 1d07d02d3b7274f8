import { readCarrierNames } from '../code-map.ts'

/** Our carriers and their names at AfterShip. */
export const carriers = readCarrierNames(new URL('./carriers.csv', import.meta.url))
