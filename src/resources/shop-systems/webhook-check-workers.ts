/** The workers of this process that read and create webhooks in shop systems, as the operations that queue it see them. */
export interface WebhookCheckWorkers {
  /** A connection is due. */
  wake(): void
}

declare module '../../foundation/services.ts' {
  interface Services {
    readonly webhookChecks: WebhookCheckWorkers
  }
}

/** For a node without workers: other nodes find what is due when they sweep. */
export const noWebhookCheckWorkers: WebhookCheckWorkers = { wake() {} }
