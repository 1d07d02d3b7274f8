import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import type { Role } from '../../src/platform/foundation/roles.ts'
import type { Service } from '../../src/service.ts'
import { type Call, call, type Reply } from './service.ts'
import type { TestShop } from './shop.ts'

export const password = 'seven parcels at dawn'

let invited = 0

/** An e-mail address that no other test uses. */
export function anyEmail(): string {
  invited += 1
  return `person-${process.pid}-${invited}@shop.example`
}

/** Attempts are limited per address, so each sign-in comes from another one. */
export function anyAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
}

export interface Invited {
  uuid: string
  email: string
  token: string
}

/** Invites a person as the superadmin, unless others do. */
export async function invite(
  shops: { shop_slug: string; role: Role }[],
  { email = anyEmail(), ...options }: Call & { email?: string } = {},
  service?: Service,
): Promise<Invited> {
  const { body, status } = await call('POST', '/v1/people', { ...options, body: { email, shops } }, service)
  expect(status, JSON.stringify(body)).toBe(200)
  return { uuid: body.person.uuid, email, token: tokenOf(body.link) }
}

export function tokenOf(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
}

export function accept(token: string, fields: object = {}, service?: Service): Promise<Reply> {
  const body = { token, name: 'Mia Sommer', password, ...fields }
  return call('POST', '/v1/session/link/accept', { auth: null, from: anyAddress(), body }, service)
}

export function signIn(body: object, options: Call = {}, service?: Service): Promise<Reply> {
  return call('POST', '/v1/session', { auth: null, from: anyAddress(), body, ...options }, service)
}

/** A browser in which somebody has signed in: it calls as our own pages do. */
export interface Browser {
  cookie: string
  sessionId: string
  call(method: string, path: string, body?: unknown, options?: Call & { service?: Service }): Promise<Reply>
}

/** Signs in, and keeps the cookie. */
export async function openBrowser(body: object, service?: Service): Promise<Browser> {
  const reply = await signIn(body, {}, service)
  expect(reply.status, reply.text).toBe(200)
  return browserOf(reply, service)
}

export function browserOf(reply: Reply, service?: Service): Browser {
  const cookie = cookieOf(reply)
  return {
    cookie,
    sessionId: reply.body?.session_uuid,
    call: (method, path, body, { service: node = service, ...options } = {}) =>
      call(
        method,
        path,
        {
          auth: null,
          ...(body === undefined ? {} : { body }),
          ...options,
          headers: { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', ...options.headers },
        },
        node,
      ),
  }
}

/** The cookie that a response sets, as a browser sends it back. */
export function cookieOf(reply: Reply): string {
  const [cookie = ''] = [reply.headers['set-cookie']].flat()
  return String(cookie).split(';')[0] ?? ''
}

export interface Member extends Invited {
  browser: Browser
}

/** A person with these roles who has accepted the invitation and signed in. */
export async function makeMember(shops: { shop_slug: string; role: Role }[], service?: Service): Promise<Member> {
  const person = await invite(shops, {}, service)
  expect((await accept(person.token, {}, service)).status).toBe(200)
  return { ...person, browser: await openBrowser({ email: person.email, password }, service) }
}

export function roleIn(shop: TestShop, role: Role) {
  return { shop_slug: shop.slug, role }
}
