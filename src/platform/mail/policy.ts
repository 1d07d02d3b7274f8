import { secondMs } from '../foundation/clock.ts'

/** How mail servers are used. Times keep one attempt within the ten seconds that a delivery has. */
export const mailPolicy = {
  /**
   * Messages per second to one account, by one process: below the lowest limit of the usual providers (Amazon SES starts
   * at 14). SMTP_RATE changes it.
   */
  messagesPerSecond: 10,
  /** Connections to one account: a message takes up to half a second, so this many reach the rate. */
  connectionsFor: (messagesPerSecond: number) => Math.min(20, Math.max(5, Math.ceil(messagesPerSecond / 2))),
  /** One message or one check, from connecting to the reply. */
  attemptMs: 10 * secondMs,
  /** Name, connection, greeting and STARTTLS together. */
  connectMs: 5 * secondMs,
  /** A server that says nothing for this long hangs. */
  silenceMs: 4 * secondMs,
  /** A message that waits longer for a connection or for the rate is sent later. */
  maxWaitMs: 5 * secondMs,
  /** A connection is closed after this many messages, and after this time without one. */
  messagesPerConnection: 1_000,
  idleMs: 30 * secondMs,
  /** Accounts with open connections. */
  maxPools: 500,
  /** Bytes of a server's reply that are passed on. */
  maxResponseLength: 1_024,
}

export type MailPolicy = Readonly<typeof mailPolicy>
