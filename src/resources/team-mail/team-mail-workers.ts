/** The worker of this process that sends messages to the team, as the code that queues them sees it. */
export interface TeamMailWorkers {
  /** There is a message to send. */
  wake(): void
}

declare module '../../foundation/services.ts' {
  interface Services {
    readonly teamMails: TeamMailWorkers
  }
}

/** For a node without workers: other nodes find the message when they sweep. */
export const noTeamMailWorkers: TeamMailWorkers = { wake() {} }
