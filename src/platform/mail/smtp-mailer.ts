import { createTransport } from 'nodemailer'
import { sha256Hex } from '../foundation/crypto.ts'
import { hasControlCharacters } from '../foundation/mail-address.ts'
import type { MailAccount } from './account.ts'
import { AccountPool, type PoolOptions, transportOptions } from './account-pool.ts'
import { isMailAddress } from './addresses.ts'
import type { Mailer, MailOutcome } from './mailer.ts'
import type { MailMessage } from './message.ts'
import { accepted, failedUnsent, rejectedUnsent, toOutcome } from './outcomes.ts'
import { mailPolicy } from './policy.ts'

/** Sends e-mail with nodemailer: one pool of connections per account, closed when nobody uses it. */
export function createSmtpMailer(options: PoolOptions): Mailer {
  const pools = new Pools(options)
  return {
    async send(account, message) {
      const fault = findFault(account, message)
      if (fault) return rejectedUnsent(fault)
      return pools.get(account)?.send(account, message) ?? tooManyAccounts
    },
    verify: (account) => verifyAccount(account, options),
    async close() {
      pools.close()
    },
  }
}

const tooManyAccounts = failedUnsent('busy', 'too many accounts are in use')

class Pools {
  readonly #options: PoolOptions
  /** By a digest of the account, the least recently used first. */
  readonly #pools = new Map<string, AccountPool>()
  readonly #sweep: NodeJS.Timeout

  constructor(options: PoolOptions) {
    this.#options = options
    this.#sweep = setInterval(() => this.#closeIdle(performance.now() - mailPolicy.idleMs), mailPolicy.idleMs).unref()
  }

  /** Undefined if there are too many, and all of them are in use. */
  get(account: MailAccount): AccountPool | undefined {
    const key = keyOf(account)
    const known = this.#pools.get(key)
    this.#pools.delete(key)
    const pool = known === undefined || known.isRetired ? this.#open(account) : known
    if (pool) this.#pools.set(key, pool)
    return pool
  }

  #open(account: MailAccount): AccountPool | undefined {
    if (this.#pools.size >= mailPolicy.maxPools) this.#closeIdle(performance.now(), 1)
    return this.#pools.size >= mailPolicy.maxPools ? undefined : new AccountPool(account, this.#options)
  }

  #closeIdle(sinceMs: number, limit = Number.POSITIVE_INFINITY): void {
    let closed = 0
    for (const [key, pool] of this.#pools) {
      if (closed >= limit) return
      if (!pool.isIdleSince(sinceMs)) continue
      this.#pools.delete(key)
      pool.close()
      closed += 1
    }
  }

  close(): void {
    clearInterval(this.#sweep)
    for (const pool of this.#pools.values()) pool.close()
    this.#pools.clear()
  }
}

/** Everything that a connection depends on; the password does not stay in memory as a key. */
function keyOf({ host, port, security, username, password, isOperators }: MailAccount): string {
  return sha256Hex(JSON.stringify([host, port, security, username, password, isOperators === true]))
}

async function verifyAccount(account: MailAccount, options: PoolOptions): Promise<MailOutcome> {
  const { attemptMs } = options.policy ?? mailPolicy
  const transport = createTransport(transportOptions(account, options))
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<MailOutcome>((resolve) => {
    timer = setTimeout(() => resolve(failedUnsent('timeout', `no reply within ${attemptMs / 1_000} s`)), attemptMs)
  })
  const verified = transport.verify().then(() => accepted(''), toOutcome)
  return Promise.race([verified, timeout]).finally(() => {
    clearTimeout(timer)
    transport.close()
  })
}

/** Headers that a message sets by its own fields. */
const reserved = new Set(
  'bcc cc content-transfer-encoding content-type date from in-reply-to message-id mime-version references reply-to return-path sender subject to'.split(
    ' ',
  ),
)

/** Reason not to send a message as it is; undefined if there is none. No line break can add a header or a recipient. */
function findFault(account: MailAccount, message: MailMessage): string | undefined {
  const { messageId, to, toName, subject, references, returnPath, headers } = message
  const addresses: [string, string | null][] = [
    ['recipient', to],
    ['sender', account.fromAddress],
    ['reply address', account.replyTo],
    ['return path', returnPath],
  ]
  for (const [name, address] of addresses) {
    if (address !== null && !isMailAddress(address)) return `the ${name} is not an e-mail address`
  }
  const texts: [string, string | null][] = [
    ['subject', subject],
    ["recipient's name", toName],
    ["sender's name", message.fromName ?? account.fromName],
  ]
  for (const [name, text] of texts) {
    if (text !== null && hasControlCharacters(text)) return `the ${name} has control characters`
  }
  if (![messageId, ...references].every((id) => /^[\w.+=-]+@[\p{L}\p{N}.-]+$/u.test(id)))
    return 'a message id is malformed'
  return findHeaderFault(headers)
}

function findHeaderFault(headers: MailMessage['headers']): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(name)) return 'the name of a header is malformed'
    if (reserved.has(name.toLowerCase())) return `the header ${name} cannot be set`
    if (hasControlCharacters(value)) return `the header ${name} has control characters`
  }
  return undefined
}
