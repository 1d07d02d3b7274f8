import { connect, isIP, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import { encode, wrap } from 'nodemailer/lib/qp'
import { SendWindow } from '../foundation/send-window.ts'
import { OutgoingError } from '../outgoing/errors.ts'
import { guardedLookup } from '../outgoing/guarded-address.ts'
import { isPrivateAddress } from '../outgoing/private-addresses.ts'
import type { MailAccount } from './account.ts'
import type { MailOutcome } from './mailer.ts'
import type { MailMessage } from './message.ts'
import { accepted, failedUnsent, toOutcome } from './outcomes.ts'
import { type MailPolicy, mailPolicy } from './policy.ts'

export interface PoolOptions {
  /** Whether accounts may name hosts in private networks. */
  allowPrivate: boolean
  messagesPerSecond: number
  /** Certificates to trust besides the usual ones. */
  trustedCertificates?: string[] | undefined
  /** `mailPolicy` if it is undefined. */
  policy?: MailPolicy | undefined
}

interface Waiter {
  sinceMs: number
  start(): void
}

/** The connections to one account. Messages wait here for a connection and for the rate, never inside of nodemailer. */
export class AccountPool {
  readonly #policy: MailPolicy
  readonly #transport: ReturnType<typeof createPool>
  readonly #window: SendWindow
  readonly #maxWaiting: number
  readonly #waiting: Waiter[] = []
  #freeConnections: number
  #inFlight = 0
  #lastUsedMs = performance.now()
  #isRetired = false

  constructor(account: MailAccount, options: PoolOptions) {
    const { policy = mailPolicy } = options
    this.#policy = policy
    this.#freeConnections = policy.connectionsFor(options.messagesPerSecond)
    this.#transport = createPool(account, options, this.#freeConnections)
    this.#window = new SendWindow({ requests: options.messagesPerSecond, perMs: 1_000 })
    this.#maxWaiting = (options.messagesPerSecond * policy.maxWaitMs) / 1_000
  }

  get isRetired(): boolean {
    return this.#isRetired
  }

  isIdleSince(ms: number): boolean {
    return this.#inFlight === 0 && this.#lastUsedMs <= ms
  }

  async send(account: MailAccount, message: MailMessage): Promise<MailOutcome> {
    this.#inFlight += 1
    try {
      if (this.#waiting.length >= this.#maxWaiting || !(await this.#hasConnection())) return busy
      try {
        const waitMs = this.#window.reserve(performance.now())
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
        return await this.#attempt(toMail(account, message))
      } finally {
        this.#releaseConnection()
      }
    } finally {
      this.#inFlight -= 1
      this.#lastUsedMs = performance.now()
    }
  }

  /** Waits for a connection; false if that took too long. */
  async #hasConnection(): Promise<boolean> {
    if (this.#freeConnections > 0) {
      this.#freeConnections -= 1
      return true
    }
    const sinceMs = performance.now()
    await new Promise<void>((start) => this.#waiting.push({ sinceMs, start }))
    if (performance.now() - sinceMs <= this.#policy.maxWaitMs) return true
    this.#releaseConnection()
    return false
  }

  #releaseConnection(): void {
    const next = this.#waiting.shift()
    if (next) next.start()
    else this.#freeConnections += 1
  }

  async #attempt(mail: ReturnType<typeof toMail>): Promise<MailOutcome> {
    const { attemptMs } = this.#policy
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<MailOutcome>((resolve) => {
      timer = setTimeout(() => {
        this.retire()
        resolve(failedUnsent('timeout', `no reply within ${attemptMs / 1_000} s`))
      }, attemptMs)
    })
    const sent = this.#transport.sendMail(mail).then(({ response }) => accepted(response), toOutcome)
    return Promise.race([sent, timeout]).finally(() => clearTimeout(timer))
  }

  /** Accepts no further messages: a server that sends its replies bit by bit would keep its connections for ever. */
  retire(): void {
    if (this.#isRetired) return
    this.#isRetired = true
    this.#transport.close()
    setTimeout(() => this.close(), this.#policy.attemptMs).unref()
  }

  /** Ends all connections; messages in flight fail. */
  close(): void {
    this.#isRetired = true
    this.#transport.close({ force: true })
  }
}

const busy = failedUnsent('busy', 'too many messages are waiting for this account')

function createPool(account: MailAccount, options: PoolOptions, connections: number) {
  const { policy = mailPolicy } = options
  return createTransport({
    pool: true,
    ...transportOptions(account, options),
    maxConnections: connections,
    maxMessages: policy.messagesPerConnection,
    idleTimeout: policy.idleMs,
    // One that was closed by the server before a byte of the message was sent: once more, on another connection.
    maxRequeues: 1,
  })
}

export function transportOptions(account: MailAccount, options: PoolOptions) {
  const { allowPrivate, trustedCertificates, policy = mailPolicy } = options
  const { host, port, security, username, password } = account
  const mayBePrivate = allowPrivate || account.isOperators === true
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // Credentials that the server does not ask for are a fault of the settings, not a reason to send without them.
    ...(username === null ? {} : { auth: { user: username, pass: password ?? '' }, forceAuth: true }),
    ...(trustedCertificates ? { tls: { ca: trustedCertificates } } : {}),
    connectionTimeout: policy.connectMs,
    greetingTimeout: policy.connectMs,
    socketTimeout: policy.silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_options: unknown, done: (error: Error | null, opened: { connection: Socket } | false) => void) {
      openSocket({ host, port, allowPrivate: mayBePrivate, connectMs: policy.connectMs }).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error, false),
      )
    },
  }
}

function toMail(account: MailAccount, message: MailMessage) {
  const { to, toName, subject, html, text, headers } = message
  const references = message.references.map((id) => `<${id}>`)
  const replied = references.at(-1)
  return {
    messageId: `<${message.messageId}>`,
    envelope: { from: message.returnPath ?? account.fromAddress, to: [to] },
    from: { name: message.fromName ?? account.fromName, address: account.fromAddress },
    to: { name: toName ?? '', address: to },
    ...(account.replyTo === null ? {} : { replyTo: account.replyTo }),
    ...(replied === undefined ? {} : { references, inReplyTo: replied }),
    subject,
    html: textPart('text/html', html),
    text: textPart('text/plain', text),
    headers: { ...headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

interface SocketOptions {
  host: string
  port: number
  /** Whether the host may be in a private network. */
  allowPrivate: boolean
  connectMs: number
}

/**
 * Connects to a mail server. nodemailer would resolve the name itself; here the address that was checked is the one that
 * is dialled.
 */
function openSocket({ host, port, allowPrivate, connectMs }: SocketOptions): Promise<Socket> {
  return new Promise((done, fail) => {
    if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) {
      return fail(new OutgoingError('connect', `${host} is a private address, which is not called`))
    }
    const socket = connect({ host, port, ...(allowPrivate ? {} : { lookup: guardedLookup }) })
    const timer = setTimeout(() => socket.destroy(new OutgoingError('timeout', 'no connection in time')), connectMs)
    const onError = (error: Error): void => {
      clearTimeout(timer)
      fail(error)
    }
    socket.once('error', onError)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeListener('error', onError)
      // Each command waits for its reply: without this, the kernel delays the last part of each message by 40 ms.
      socket.setNoDelay(true)
      done(socket)
    })
  })
}

/**
 * A part of a message, ready to be sent. nodemailer would encode it in a stream, slice by slice, after looking at every
 * character to choose how: a fifth of what a message costs.
 */
export function textPart(type: 'text/plain' | 'text/html', text: string): { raw: string } {
  const lines = text.replaceAll(/\r\n?|\n/g, '\r\n')
  const headers = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable`
  return { raw: `${headers}\r\n\r\n${wrap(encode(lines), 76)}` }
}
