/** How the connection to a mail server is protected: from the first byte, by STARTTLS, or not at all. */
export const mailSecurities = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** An account of a mail server, with whom its messages come from. */
export interface MailAccount {
  host: string
  port: number
  security: MailSecurity
  /** Null: the server wants no authentication. */
  username: string | null
  password: string | null
  fromName: string
  fromAddress: string
  replyTo: string | null
  /** Set by the operator, so its host may be in a private network. */
  isOperators?: true
}
