/** The store cannot be reached, or the connection to it broke. The same work can be tried again. */
export class StoreUnavailable extends Error {
  /** Whether a statement had been sent: then it is not known whether it was executed. */
  readonly mayHaveHappened: boolean

  constructor(cause: unknown, mayHaveHappened: boolean) {
    super(`the store cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'StoreUnavailable'
    this.mayHaveHappened = mayHaveHappened
  }
}
