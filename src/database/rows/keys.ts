import type { Role } from '../../foundation/roles.ts'

export interface KeyTables {
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
}
