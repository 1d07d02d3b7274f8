import type { Operation } from './foundation/operation.ts'
import * as keys from './resources/keys/operations.ts'
import * as shops from './resources/shops/operations.ts'

/** Every operation of the API. Routes, roles, validation, the API description and its tests follow from this list. */
export const operations: readonly Operation[] = [shops, keys].flatMap((area) => Object.values(area))
