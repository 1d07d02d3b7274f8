/** The worker of this process that applies decisions, as the operation that takes them sees it. */
export interface ClaimDecisionWorkers {
  /** A decision takes effect at this moment. */
  wakeAt(dueAt: Date): void
}

declare module '../../foundation/services.ts' {
  interface Services {
    readonly claimDecisions: ClaimDecisionWorkers
  }
}

/** For a node without workers: other nodes find the decision when they sweep. */
export const noClaimDecisionWorkers: ClaimDecisionWorkers = { wakeAt() {} }
