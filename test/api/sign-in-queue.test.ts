import { createHook } from 'node:async_hooks'
import { randomInt } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findPersonByEmail } from '../../src/access/people/store.ts'
import { createSeal, newEncryption } from '../../src/platform/foundation/archive/seal.ts'
import { ScryptThreads } from '../../src/platform/foundation/scrypt-threads.ts'
import type { Service } from '../../src/service.ts'
import {
  accept,
  anyAddress,
  anyEmail,
  invite,
  type Member,
  makeMember,
  password,
  roleIn,
  signIn,
  tokenOf,
} from '../harness/people.ts'
import { call, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const [atOnce, places] = [2, 50]

let service: Service
beforeAll(async () => {
  service = await startTestService({ PORT: '0' }, await openTestDatabase())
})
afterAll(() => service.stop())

const waiting = () => service.context().services.passwords.waiting

function localUrl(): string {
  const address = service.app.server.address()
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
}

async function untilWaiting(count: number): Promise<void> {
  await expect.poll(waiting, { timeout: 60_000 }).toBe(count)
}

/** Nothing is hashed until the returned function is called: the first take all threads, the others wait. */
function holdHashing() {
  let release = () => {}
  const held = new Promise<Buffer>((resolve) => {
    release = () => resolve(Buffer.alloc(32))
  })
  const derive = vi.spyOn(ScryptThreads.prototype, 'derive')
  for (let count = 0; count < atOnce; count += 1) derive.mockReturnValueOnce(held)
  onTestFinished(() => {
    release()
    derive.mockRestore()
  })
  const { passwords } = service.context().services
  for (let count = 0; count < atOnce; count += 1) void passwords.verify(password, null, { group: 'first' })
  return { release, derive }
}

/** Wrong passwords of accounts that do not exist, and their outcomes, in their order. */
function guess(networks: string[]) {
  const statuses: number[] = []
  const outcomes = networks.map(async (from) => {
    statuses.push((await signIn({ email: anyEmail(), password: 'a wrong password' }, { from }, service)).status)
  })
  const countOf = (wanted: number) => statuses.filter((status) => status === wanted).length
  return { countOf, finish: () => Promise.all(outcomes) }
}

async function saltOf(email: string): Promise<string> {
  const person = await findPersonByEmail(service.context(), email)
  return person?.password?.split(':')[4] ?? 'no password'
}

const farApart = (count: number) => Array.from({ length: count }, (_, index) => `2001:db8:${index.toString(16)}::1`)
const ofOneNetwork = (count: number) => Array.from({ length: count }, (_, index) => `2001:db8:ffff:${index}::1`)

async function makeOwner(): Promise<Member> {
  return makeMember([roleIn(await makeShop({}, service), 'viewer')], service)
}

describe('the queue of passwords', () => {
  it('lets an owner sign in where they did before, although strangers of many networks wait', async () => {
    const { email } = await makeOwner()
    const home = anyAddress()
    expect((await signIn({ email, password }, { from: home }, service)).status).toBe(200)
    const { release, derive } = holdHashing()
    const strangers = guess(farApart(places + 10))
    await expect.poll(() => strangers.countOf(429), { timeout: 60_000 }).toBe(10)
    const owner = signIn({ email, password }, { from: home }, service)
    await untilWaiting(places + 1)
    release()
    expect((await owner).status).toBe(200)
    await strangers.finish()
    expect(strangers.countOf(401)).toBe(places)
    const salts = derive.mock.calls.slice(atOnce).map(([{ salt }]) => Buffer.from(salt).toString('base64'))
    expect(salts.indexOf(await saltOf(email))).toBeLessThan(atOnce)
  })

  it('lets an owner sign in anywhere, although one network fills it from addresses of its own choice', async () => {
    const { email } = await makeOwner()
    const { release } = holdHashing()
    const strangers = guess(ofOneNetwork(places + 10))
    await expect.poll(() => strangers.countOf(429), { timeout: 60_000 }).toBe(10)
    const owner = signIn({ email, password }, {}, service)
    await expect.poll(() => strangers.countOf(429), { timeout: 60_000 }).toBe(11)
    expect(waiting()).toBe(places)
    release()
    expect((await owner).status).toBe(200)
    await strangers.finish()
    expect(strangers.countOf(401)).toBe(places - 1)
  })

  it('gives those who have a session or an invitation places of their own', async () => {
    const { browser } = await makeOwner()
    const invited = await invite([roleIn(await makeShop({}, service), 'viewer')], {}, service)
    const { release } = holdHashing()
    const strangers = guess(farApart(places))
    await untilWaiting(places)
    const change = { old_password: password, new_password: 'nine letters to the sea' }
    const mine = [browser.call('PUT', '/v1/session/password', change), accept(invited.token, {}, service)]
    await untilWaiting(places + mine.length)
    release()
    for (const reply of await Promise.all(mine)) expect(reply.status).toBe(200)
    await strangers.finish()
  })

  it('has no place for those who have gone', async () => {
    const { release } = holdHashing()
    const calls = Array.from({ length: 3 }, () => {
      const calling = request(`${localUrl()}/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      })
      calling.end(JSON.stringify({ email: anyEmail(), password }))
      const isClosed = new Promise((resolve) => calling.once('error', resolve))
      return { calling, isClosed }
    })
    await untilWaiting(3)
    for (const { calling } of calls) calling.destroy(new Error('gone'))
    await Promise.all(calls.map(({ isClosed }) => isClosed))
    await untilWaiting(0)
    release()
  })

  it('does not count what it had no place for as a guess', async () => {
    const { email } = await makeOwner()
    const from = anyAddress()
    const { release } = holdHashing()
    const strangers = guess(farApart(places))
    await untilWaiting(places)
    for (let count = 0; count < 12; count += 1) {
      expect(await signIn({ email, password }, { from }, service)).toMatchObject({
        status: 429,
        headers: { 'retry-after': '5' },
      })
    }
    release()
    await strangers.finish()
    expect((await signIn({ email, password }, { from }, service)).status).toBe(200)
  })
})

describe('scrypt', () => {
  /** How often this thread has handed scrypt to the threads that it shares with look-ups of hosts, files and compression. */
  function countShared(): () => number {
    let count = 0
    const hook = createHook({
      init(_id, type) {
        if (type === 'SCRYPTREQUEST') count += 1
      },
    }).enable()
    onTestFinished(() => void hook.disable())
    return () => count
  }

  it('runs in threads of its own: invitations, sign-ins, changes and resets, and keys of archives', async () => {
    const shared = countShared()
    const derive = vi.spyOn(ScryptThreads.prototype, 'derive')
    onTestFinished(() => derive.mockRestore())
    const { uuid, email, browser } = await makeOwner()
    await signIn({ email, password: 'a wrong password' }, {}, service)
    const changed = `${password} ${randomInt(1_000)}`
    await browser.call('PUT', '/v1/session/password', { old_password: password, new_password: changed })
    await browser.call('POST', '/v1/session/totp', { password: changed })
    const { link } = (await call('POST', `/v1/people/${uuid}/reset`, {}, service)).body
    expect((await accept(tokenOf(link), {}, service)).status).toBe(200)
    const header = { format: 'test', version: 1, kind: 'test', encryption: newEncryption(2 ** 4) }
    await createSeal(header as never, '', 'a passphrase') // it reads the encryption only
    expect(derive).toHaveBeenCalledTimes(8)
    expect(shared()).toBe(0)
  })

  it('says what is wrong with its numbers, and goes on', async () => {
    const threads = new ScryptThreads()
    onTestFinished(() => threads.close())
    const derive = (N: number) =>
      threads.derive({ secret: Buffer.from('x'), salt: Buffer.alloc(16), bytes: 32, options: { N, r: 8, p: 1 } })
    await expect(derive(3)).rejects.toThrow('Invalid scrypt params')
    expect(await derive(16)).toHaveLength(32)
  })
})
