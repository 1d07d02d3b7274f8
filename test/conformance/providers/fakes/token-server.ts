import type { FakeRequest } from '../../fake-server.ts'
import { clients } from './credentials.ts'

/** The clients and tokens of a fake that grants by client credentials. */
export interface FakeTokens {
  granted: number
  /** The lifetime of a token in seconds. */
  lifetime: number
  grant(client: { client_id: unknown; client_secret: unknown }): string | undefined
  /** The owner of the request's token; undefined if it has no known token. */
  ownerOf(request: FakeRequest): 'right' | 'limited' | undefined
  revoke(): void
}

export function createFakeTokens(lifetime: number): FakeTokens {
  const tokens = new Map<string, 'right' | 'limited'>()
  const state: FakeTokens = {
    granted: 0,
    lifetime,
    grant({ client_id, client_secret }) {
      const owner = (['right', 'limited'] as const).find((name) => {
        return clients[name].client_id === client_id && clients[name].client_secret === client_secret
      })
      if (owner === undefined) return undefined
      state.granted += 1
      const token = `token-number-${state.granted}-for-${owner}`
      tokens.set(token, owner)
      return token
    },
    ownerOf: ({ headers }) => tokens.get(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''),
    revoke: () => tokens.clear(),
  }
  return state
}
