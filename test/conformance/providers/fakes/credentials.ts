import type { ProviderCredentials } from '../../../../src/adapters/carriers/provider.ts'

/** Credentials that the fakes accept, do not know, and treat as a key or client without the right to track. */
export const keys = {
  right: 'a-right-key-0123456789',
  wrong: 'a-wrong-key-0123456789',
  limited: 'a-limited-key-0123456789',
}

export const clients = {
  right: { client_id: 'client-1', client_secret: 'the+right/secret=of client 1' },
  wrong: { client_id: 'client-1', client_secret: 'another-secret-than-that' },
  limited: { client_id: 'client-2', client_secret: 'a-secret-without-rights' },
} satisfies Record<string, ProviderCredentials>

export function nameOfKey(key: string | undefined): keyof typeof keys | undefined {
  if (key === keys.right) return 'right'
  return key === keys.limited ? 'limited' : undefined
}
