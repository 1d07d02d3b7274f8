import { setTimeout as pause } from 'node:timers/promises'
import { call } from './lib/call.ts'
import { type Checkout, checkoutsToCompare, startCheckout } from './lib/checkouts.ts'
import { type Answered, forwardedOf, quantileMs, request } from './lib/networks.ts'
import { printTable } from './table.ts'

// How many of an owner's sign-ins get through, and how long they take, while wrong passwords come from networks that are each
// used once. The owner is in a network where the account has signed in before.
const guessesPerSecond = Number(process.env.BENCH_GUESSES ?? 13)
const quietSignIns = 4
const attackedSignIns = 8
/** The time until the guesses have filled the queues. */
const headStartMs = 10_000
const everyMs = 3_000
/** Everyone who tries to sign in or guesses gives up after this. */
const patienceMs = 15_000
const ownNetwork = forwardedOf(0xffff)
const [email, password] = ['owner@bench.example', 'seven parcels at dawn']

const rows: string[][] = []
for (const checkout of checkoutsToCompare()) rows.push(...(await measure(checkout)))
printTable(['checkout', 'wrong passwords', 'signed in', 'p50 ms', 'slowest ms'], rows)

async function measure(checkout: Checkout): Promise<string[][]> {
  const service = await startCheckout(checkout, { TRUST_PROXY: '1' })
  const { port } = service
  try {
    await createOwner(port)
    const quiet = await signInOften(port, quietSignIns)
    const attack = startGuessing(port)
    await pause(headStartMs)
    const attacked = await signInOften(port, attackedSignIns)
    await attack.stop()
    return [rowOf(checkout, 'none', quiet), rowOf(checkout, `${guessesPerSecond} per second`, attacked)]
  } finally {
    await service.stop()
  }
}

function rowOf({ name }: Checkout, attack: string, answered: Answered[]): string[] {
  const signedIn = answered.filter(({ status }) => status === 200)
  const times = [0.5, 1].map((share) => (signedIn.length > 0 ? quantileMs(signedIn, share).toFixed(0) : 'none'))
  return [name, attack, `${signedIn.length} of ${answered.length}`, ...times]
}

async function createOwner(port: number): Promise<void> {
  await call(port, 'POST', '/v1/shops', { name: 'bench', slug: 'bench' })
  const roles = [{ shop_slug: 'bench', role: 'viewer' }]
  const invited = (await (await call(port, 'POST', '/v1/people', { email, shops: roles })).json()) as { link: string }
  const token = new URLSearchParams(new URL(invited.link).hash.slice(1)).get('token')
  const { status } = await post(port, '/v1/session/link/accept', { token, name: 'Mia Sommer', password }, ownNetwork)
  if (status !== 200) throw new Error(`the invitation was answered with ${status}`)
}

/** At regular times, whether or not the one before has ended. */
async function signInOften(port: number, times: number): Promise<Answered[]> {
  const signIns: Promise<Answered>[] = []
  for (let index = 0; index < times; index += 1) {
    signIns.push(post(port, '/v1/session', { email, password }, ownNetwork))
    await pause(everyMs)
  }
  return Promise.all(signIns)
}

/** Each guess is at another account and from another network. */
function startGuessing(port: number): { stop(): Promise<void> } {
  const pending = new Set<Promise<unknown>>()
  let count = 0
  const timer = setInterval(() => {
    count += 1
    const body = { email: `somebody-${count}@bench.example`, password: 'a wrong password' }
    const guess: Promise<unknown> = post(port, '/v1/session', body, forwardedOf(count)).finally(() =>
      pending.delete(guess),
    )
    pending.add(guess)
  }, 1_000 / guessesPerSecond)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(pending)
    },
  }
}

function post(port: number, path: string, body: object, network: string): Promise<Answered> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': network }
  return request(port, { method: 'POST', path, headers, body: JSON.stringify(body), patienceMs })
}
