import type { Role } from '../platform/foundation/roles.ts'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
    api_keys: {
      id: string
      username: string
      secret_hash: Buffer
      /** The last characters of the secret, by which its owner recognises it. */
      secret_ending: string
      /** The role in every shop; null for a key of certain shops. */
      everywhere: Role | null
      /** Unix seconds; 0 is never. */
      expiration: number
      created_at: Date
      last_used_at: Date | null
    }
    api_key_shops: {
      shop_id: string
      key_id: string
      role: Role
    }
    people: {
      id: string
      /** In lower case. */
      email: string
      name: string
      /** See `access/people/passwords.ts`; null until an invitation is accepted, and for OIDC accounts. */
      password: string | null
      /** Encrypted. */
      totp_secret: Buffer | null
      /** From then on a code is needed to sign in. */
      totp_confirmed_at: Date | null
      /** The time step of the last accepted code. */
      totp_last_step: number | null
      /** The role in every shop; null for a person of certain shops. */
      everywhere: Role | null
      oidc_issuer: string | null
      oidc_subject: string | null
      created_at: Date
      last_sign_in_at: Date | null
      disabled_at: Date | null
      /** The last time, and the network, of the password followed by wrong codes; null: never, or dismissed. */
      password_warning_at: Date | null
      password_warning_network: string | null
    }
    person_shops: {
      shop_id: string
      person_id: string
      role: Role
    }
    /** Of a person (invitation, reset) or of a key (sign-in). A used link is deleted. */
    sign_in_links: {
      token_hash: Buffer
      kind: 'invitation' | 'reset' | 'sign-in'
      person_id: string | null
      key_id: string | null
      created_at: Date
      expires_at: Date
    }
    /** Of a person or of a key. An ended session is deleted. */
    sessions: {
      id: string
      token_hash: Buffer
      person_id: string | null
      key_id: string | null
      created_at: Date
      last_used_at: Date
      expires_at: Date
      user_agent: string
      /** The client's network; see `platform/foundation/client-network.ts`. */
      network: string
    }
  }
}
