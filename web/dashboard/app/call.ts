import type { Init, OperationAt, PathsWith } from 'doorstep-client'

export type GetPath = PathsWith<'get'>

/** A GET operation with its parameters, as `read` and `readList` take it. */
export type Call<Path extends GetPath> = [path: Path, ...init: Init<OperationAt<Path, 'get'>>]

/**
 * Names a call without making it: `read(...call('/v1/shops/{slug}', { params: { path: { slug } } }))`. The calls that a screen
 * makes first are in its `calls.ts`, which imports little, because they are made before the screen has arrived: `routes/pages.ts` lists them.
 */
export function call<Path extends GetPath>(...given: Call<Path>): Call<Path> {
  return given
}

/** Any call; which parameters it may have was checked when it was made. */
export type AnyCall = readonly [path: string, init?: { params?: { path?: object; query?: object } }]

/** Calls of operations that take nothing but the shop. */
export function callsOf(...paths: PathOfShop[]): (visit: { slug: string }) => AnyCall[] {
  return ({ slug }) => paths.map((path) => [path, { params: { path: { slug } } }])
}

type PathOfShop = {
  [Path in GetPath]: Call<Path> extends [Path, init: infer Init] ? (ByShop extends Init ? Path : never) : never
}[GetPath]
type ByShop = { params: { path: { slug: string } } }

/** Whole days in UTC, today included, as the API counts them. */
export function lastDays(days: number): { from: string; to: string } {
  const now = Date.now()
  const day = (ago: number) => new Date(now - ago * 86_400_000).toISOString().slice(0, 10)
  return { from: day(days - 1), to: day(0) }
}
