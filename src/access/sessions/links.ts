import { after, dayMs, hourMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { sha256 } from '../../platform/foundation/crypto.ts'
import { insertLink } from './links-store.ts'
import { newToken } from './start-session.ts'

type Scope = Pick<Context, 'db' | 'now' | 'services'>

export interface NewLink {
  url: string
  expiresAt: Date
}

/** How long each kind of link can be used. */
const lifetimeMs = { invitation: 7 * dayMs, reset: dayMs, 'sign-in': hourMs }

/**
 * A link that signs in once as a key, by default the superadmin's. The token is in the fragment of the address, which browsers
 * do not send: it is in no log of a proxy.
 */
export async function createSignInLink(
  context: Scope,
  { keyId = 'superadmin', shopSlug }: { keyId?: string; shopSlug?: string | undefined } = {},
): Promise<NewLink> {
  const { token, expiresAt } = await storeLink(context, 'sign-in', { person_id: null, key_id: keyId })
  const fragment = new URLSearchParams({ token, ...(shopSlug === undefined ? {} : { shop: shopSlug }) })
  return { url: `${context.services.publicUrl}/dashboard/sign-in#${fragment}`, expiresAt }
}

/** A link with which a person sets a password. It replaces the person's link before. */
export async function createPasswordLink(
  context: Scope,
  kind: 'invitation' | 'reset',
  personId: string,
): Promise<NewLink> {
  const { token, expiresAt } = await storeLink(context, kind, { person_id: personId, key_id: null })
  return { url: `${context.services.publicUrl}/dashboard/invitation#token=${token}`, expiresAt }
}

async function storeLink(
  context: Scope,
  kind: keyof typeof lifetimeMs,
  owner: { person_id: string | null; key_id: string | null },
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken()
  const expiresAt = after(context.now, lifetimeMs[kind])
  await insertLink(context, {
    token_hash: sha256(token),
    kind,
    ...owner,
    created_at: context.now,
    expires_at: expiresAt,
  })
  return { token, expiresAt }
}
