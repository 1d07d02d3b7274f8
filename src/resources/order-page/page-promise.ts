/** What was promised when the order was placed, as far as its customer is told. Days are YYYY-MM-DD. */
export interface PagePromise {
  earliest: string | null
  latest: string
  state: 'open' | 'at_risk' | 'kept' | 'broken'
  delivered_on: string | null
}
