import type { GrantableRole } from '../../src/platform/foundation/roles.ts'
import type { Service } from '../../src/service.ts'
import { type Call, call, type Reply } from './service.ts'

export interface TestShop {
  slug: string
  /** Undefined: the shared one. */
  service: Service | undefined
  /** Calls below the shop's own path, as a key of this role. */
  as(role: GrantableRole | 'superadmin'): ShopCaller
  credentials(role: GrantableRole): Promise<{ username: string; apiKey: string }>
}

export interface ShopCaller {
  get(path: string, query?: Call['query'], headers?: Record<string, string>): Promise<Reply>
  post(path: string, body?: unknown, options?: Call): Promise<Reply>
  put(path: string, body?: unknown, options?: Call): Promise<Reply>
  patch(path: string, body?: unknown, options?: Call): Promise<Reply>
  delete(path: string): Promise<Reply>
}

let made = 0

/** A new shop for a test, with keys created on first use; in the shared service unless one is given. */
export async function makeShop(fields: Record<string, unknown> = {}, service?: Service): Promise<TestShop> {
  made += 1
  const slug = `test-${process.pid}-${made}`
  await call('POST', '/v1/shops', { body: { name: `Test shop ${made}`, slug, ...fields } }, service)
  const keys = new Map<GrantableRole, Promise<{ username: string; apiKey: string }>>()
  const credentials = (role: GrantableRole) => {
    const known = keys.get(role) ?? makeKey(slug, role, service)
    keys.set(role, known)
    return known
  }
  return {
    slug,
    service,
    credentials,
    as(role) {
      const send = async (method: string, path: string, options: Call) =>
        call(
          method,
          `/v1/shops/${slug}${path}`,
          { ...(role === 'superadmin' ? {} : { auth: await credentials(role) }), ...options },
          service,
        )
      return {
        get: (path, query, headers) =>
          send('GET', path, { ...(query ? { query } : {}), ...(headers ? { headers } : {}) }),
        post: (path, body, options) => send('POST', path, { body, ...options }),
        put: (path, body, options) => send('PUT', path, { body, ...options }),
        patch: (path, body, options) => send('PATCH', path, { body, ...options }),
        delete: (path) => send('DELETE', path, {}),
      }
    },
  }
}

async function makeKey(
  slug: string,
  role: GrantableRole,
  service: Service | undefined,
): Promise<{ username: string; apiKey: string }> {
  const { body } = await call('POST', `/v1/shops/${slug}/api-keys`, { body: { role } }, service)
  return { username: body.username, apiKey: body.secret }
}
