/** A complete message as it is sent: the same for every attempt. */
export interface MailMessage {
  /** Without angle brackets; stable over all attempts. */
  messageId: string
  to: string
  toName: string | null
  subject: string
  html: string
  text: string
  /** Ids of earlier messages of the thread, oldest first; the last one is what this message replies to. */
  references: readonly string[]
  /** The address that bounces go to; null: the sender's. */
  returnPath: string | null
  /** Further headers, such as List-Unsubscribe. */
  headers: Readonly<Record<string, string>>
  /** Another sender's name than the account's. */
  fromName?: string
}
