import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { MailAccount } from '../../src/platform/mail/account.ts'
import type { PoolOptions } from '../../src/platform/mail/account-pool.ts'
import type { Mailer } from '../../src/platform/mail/mailer.ts'
import type { MailMessage } from '../../src/platform/mail/message.ts'
import { mailPolicy } from '../../src/platform/mail/policy.ts'
import { createSmtpMailer } from '../../src/platform/mail/smtp-mailer.ts'
import { hasOpenssl, makeCertificate } from '../harness/certificate.ts'
import { type MailServer, mailUser, startMailServer } from '../harness/mail-server.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function makeMailer(options: Partial<PoolOptions> = {}): Mailer {
  const mailer = createSmtpMailer({ allowPrivate: true, messagesPerSecond: 1_000, ...options })
  closing.push(() => mailer.close())
  return mailer
}

async function serve(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options)
  closing.push(() => server.close())
  return server
}

/** A server that speaks whatever a test wants. */
async function serveRaw(onConnection: (socket: Socket) => void): Promise<{ host: string; port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port } // it listens on a port
}

const accountAt = ({ host, port }: { host: string; port: number }, fields: Partial<MailAccount> = {}): MailAccount => ({
  host,
  port,
  security: 'none',
  username: null,
  password: null,
  fromName: 'River & Pine',
  fromAddress: 'orders@river-and-pine.example',
  replyTo: null,
  ...fields,
})

let sent = 0
const message = (fields: Partial<MailMessage> = {}): MailMessage => {
  sent += 1
  return {
    messageId: `0192f3c4-7b1e-7cc0-9d3a-${String(sent).padStart(12, '0')}@river-and-pine.example`,
    to: 'maria@customer.example',
    toName: 'María Ñandú',
    subject: 'Dein Paket ist unterwegs – heute',
    html: '<p>Hallo María</p>',
    text: 'Hallo María',
    references: [],
    returnPath: null,
    headers: {},
    ...fields,
  }
}

describe('a message', () => {
  it('arrives as it was given: names, parts, thread, return path and headers', async () => {
    const server = await serve()
    const mail = message({
      references: ['first@river-and-pine.example', 'second@river-and-pine.example'],
      returnPath: 'bounce+abc.def.01234567@bounces.example',
      headers: { 'List-Unsubscribe': '<https://doorstep.example/u/abc>' },
      fromName: 'Another name',
    })
    const outcome = await makeMailer().send(accountAt(server, { replyTo: 'help@river-and-pine.example' }), mail)
    expect(outcome).toMatchObject({ result: 'accepted', response: expect.stringMatching(/^250/) })
    const [arrived] = server.mails
    expect(arrived?.envelope).toEqual({ from: mail.returnPath, to: [mail.to] })
    expect(arrived?.messageId).toBe(`<${mail.messageId}>`)
    expect(arrived?.subject).toBe(mail.subject)
    expect(arrived?.from?.value).toEqual([{ name: 'Another name', address: 'orders@river-and-pine.example' }])
    expect(arrived?.to).toMatchObject({ value: [{ name: 'María Ñandú', address: mail.to }] })
    expect(arrived?.replyTo?.text).toBe('help@river-and-pine.example')
    expect(arrived?.inReplyTo).toBe('<second@river-and-pine.example>')
    expect(arrived?.references).toEqual(['<first@river-and-pine.example>', '<second@river-and-pine.example>'])
    expect(arrived?.html).toContain(mail.html)
    expect(arrived?.text?.trim()).toBe(mail.text)
    expect(arrived?.raw).toContain('List-Unsubscribe: <https://doorstep.example/u/abc>')
  })

  it('uses the connections of its account again, and no more of them than allowed', async () => {
    const connections = new Set<string>()
    let open = 0
    let most = 0
    const server = await serve({
      onConnect({ id }, done) {
        connections.add(id)
        open += 1
        most = Math.max(most, open)
        done()
      },
      onClose() {
        open -= 1
      },
    })
    const mailer = makeMailer({ messagesPerSecond: 100_000 })
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => mailer.send(accountAt(server), message())))
    expect(outcomes.every(({ result }) => result === 'accepted')).toBe(true)
    expect(server.mails).toHaveLength(60)
    expect(connections.size).toBeLessThanOrEqual(20)
    expect(most).toBeLessThanOrEqual(20)
  })

  it('waits for the rate of its account, and is sent later if too many wait', async () => {
    const server = await serve()
    const mailer = makeMailer({ messagesPerSecond: 20, policy: { ...mailPolicy, maxWaitMs: 500 } })
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => mailer.send(accountAt(server), message())))
    const busy = outcomes.filter((outcome) => outcome.result === 'failed' && outcome.problem === 'busy')
    expect(busy.length).toBeGreaterThan(0)
    expect(server.mails).toHaveLength(40 - busy.length)
  })
})

describe('what would inject a header or a recipient', () => {
  const line = 'x\r\nBcc: victim@other.example'
  const cases: [string, Partial<MailMessage>, Partial<MailAccount>?][] = [
    ['a subject', { subject: line }],
    ['a subject with a bare line feed', { subject: 'x\nBcc: victim@other.example' }],
    ['a subject with a null byte', { subject: 'x\0y' }],
    ["a recipient's name", { toName: line }],
    ['a recipient', { to: `maria@customer.example\r\nRCPT TO:<victim@other.example>` }],
    ['two recipients', { to: 'maria@customer.example, victim@other.example' }],
    ['a recipient with a name', { to: 'Maria <maria@customer.example>' }],
    ['no recipient', { to: '' }],
    ["a sender's name", { fromName: line }],
    ['a return path', { returnPath: 'a@b.example>\r\nDATA' }],
    ['a header', { headers: { 'List-Unsubscribe': line } }],
    ['the name of a header', { headers: { 'X-A: b\r\nBcc': 'victim@other.example' } }],
    ['a second recipient as a header', { headers: { bcc: 'victim@other.example' } }],
    ['a message id', { messageId: 'a>\r\nBcc: v@other.example' }],
    ['a reference', { references: ['a@b> <c@d'] }],
    ["the account's name", {}, { fromName: line }],
    ["the account's address", {}, { fromAddress: 'a@b.example\r\nRCPT TO:<v@other.example>' }],
    ["the account's reply address", {}, { replyTo: 'a@b.example, v@other.example' }],
  ]
  it.each(cases)('is rejected before anything is sent: %s', async (_name, fields, account = {}) => {
    const connections: Socket[] = []
    const server = await serveRaw((socket) => void connections.push(socket))
    const outcome = await makeMailer().send(accountAt(server, account), message(fields))
    expect(outcome).toMatchObject({ result: 'rejected', code: null, problem: 'message_rejected' })
    expect(connections).toHaveLength(0)
    expect(JSON.stringify(outcome)).not.toContain('victim')
  })

  it('is text if it is in the body, and names no file or address to read', async () => {
    const server = await serve()
    const text = '.\r\nMAIL FROM:<a@b.example>\r\n.\r\n'
    const outcome = await makeMailer().send(accountAt(server), message({ text, html: 'file:///etc/passwd' }))
    expect(outcome.result).toBe('accepted')
    expect(server.mails).toHaveLength(1)
    expect(server.mails[0]?.text).toContain('MAIL FROM:<a@b.example>')
    expect(server.mails[0]?.html).toBe('file:///etc/passwd')
  })
})

describe('the reply of a server', () => {
  const cases: [number, object][] = [
    [421, { result: 'failed', code: 421, problem: 'busy' }],
    [451, { result: 'failed', code: 451, problem: 'busy' }],
    [452, { result: 'failed', code: 452, problem: 'busy' }],
    // It is about the state of the connection, not about the message.
    [503, { result: 'failed', code: 503, problem: 'busy' }],
    [550, { result: 'rejected', code: 550, problem: 'message_rejected' }],
    [554, { result: 'rejected', code: 554, problem: 'message_rejected' }],
  ]
  it.each(cases)('%i to a message is an outcome', async (code, expected) => {
    const server = await serve()
    server.reject = () => ({ code, message: 'not now, maria@customer.example' })
    const mailer = makeMailer()
    const outcome = await mailer.send(accountAt(server), message())
    expect(outcome).toMatchObject(expected)
    expect(outcome.response).toContain('not now, m…@customer.example')
    expect(outcome.response).not.toContain('maria@')
    server.reject = () => undefined
    expect(await mailer.send(accountAt(server), message())).toMatchObject({ result: 'accepted' })
  })

  it('can be stored, whatever the server says', async () => {
    for (const said of [`no\0thing`, `${'-'.repeat(mailPolicy.maxResponseLength - 1 - '550 '.length)}📦`]) {
      const rejecting = await serveRaw((socket) => {
        socket.write('220 ready\r\n')
        socket.on('data', (chunk) =>
          socket.write(/^(EHLO|RSET)/.test(String(chunk)) ? '250 ok\r\n' : `550 ${said}\r\n`),
        )
      })
      const { response, ...outcome } = await makeMailer().send(accountAt(rejecting), message())
      expect(outcome).toMatchObject({ result: 'rejected', code: 550 })
      expect(response).toBe(`550 ${said.replaceAll(/\0|📦/gu, '')}`)
    }
  })

  it('to the sender or the recipient says which of them it rejects', async () => {
    const refuse = (code: number) => Object.assign(new Error('no such address'), { responseCode: code })
    const senders = await serve({ onMailFrom: (_address, _session, done) => done(refuse(553)) })
    expect(await makeMailer().send(accountAt(senders), message())).toMatchObject({
      result: 'rejected',
      code: 553,
      problem: 'sender_rejected',
    })
    const recipients = await serve({ onRcptTo: (_address, _session, done) => done(refuse(550)) })
    expect(await makeMailer().send(accountAt(recipients), message())).toMatchObject({
      result: 'rejected',
      code: 550,
      problem: 'recipient_rejected',
    })
    const greylisting = await serve({ onRcptTo: (_address, _session, done) => done(refuse(450)) })
    expect(await makeMailer().send(accountAt(greylisting), message())).toMatchObject({ result: 'failed', code: 450 })
  })
})

describe('a server', () => {
  it('that nobody listens at, or that has no address, is unreachable', async () => {
    const server = await startMailServer()
    await server.close()
    const mailer = makeMailer()
    const expected = { result: 'failed', code: null, problem: 'unreachable' }
    expect(await mailer.send(accountAt(server), message())).toMatchObject(expected)
    expect(await mailer.verify(accountAt(server))).toMatchObject(expected)
    const nowhere = accountAt({ host: 'mail.invalid', port: 25 })
    expect(await mailer.send(nowhere, message())).toMatchObject(expected)
  })

  it.each([
    ['never greets', () => {}],
    ['goes silent after its greeting', (socket: Socket) => void socket.write('220 slow\r\n')],
  ])('that %s times out', async (_name, onConnection) => {
    const server = await serveRaw(onConnection)
    const mailer = makeMailer({ policy: { ...mailPolicy, connectMs: 500, silenceMs: 400 } })
    const [sending, verifying] = await Promise.all([
      mailer.send(accountAt(server), message()),
      mailer.verify(accountAt(server)),
    ])
    expect(sending).toMatchObject({ result: 'failed', code: null, problem: 'timeout' })
    expect(verifying).toMatchObject({ result: 'failed', code: null, problem: 'timeout' })
  })

  it('that trickles its replies has no more than the time of an attempt, and delays no later message', async () => {
    let isSlow = true
    const server = await serveRaw((socket) => {
      if (!isSlow) return void socket.end('421 closing\r\n')
      socket.write('220 slow\r\n')
      const timer = setInterval(() => socket.write('250-still here\r\n'), 50)
      return void socket.on('close', () => clearInterval(timer))
    })
    const mailer = makeMailer({ policy: { ...mailPolicy, attemptMs: 2_000 } })
    expect(await mailer.send(accountAt(server), message())).toMatchObject({ result: 'failed', problem: 'timeout' })
    isSlow = false
    expect(await mailer.send(accountAt(server), message())).toMatchObject({ result: 'failed', code: 421 })
  })

  it('that closes an idle connection loses no message', async () => {
    const sockets: Socket[] = []
    const server = await serve()
    const proxy = await serveRaw((socket) => {
      sockets.push(socket)
      const behind = connect(server.port, server.host)
      behind.on('error', () => {})
      socket.pipe(behind).pipe(socket)
      socket.on('close', () => behind.destroy())
    })
    const mailer = makeMailer()
    expect(await mailer.send(accountAt(proxy), message())).toMatchObject({ result: 'accepted' })
    for (const socket of sockets) socket.destroy()
    expect(await mailer.send(accountAt(proxy), message())).toMatchObject({ result: 'accepted' })
    expect(server.mails).toHaveLength(2)
  })
})

describe('a host in a private network', () => {
  it.each(['127.0.0.1', 'localhost'])('is not connected to: %s', async (host) => {
    const connections: Socket[] = []
    const { port } = await serveRaw((socket) => void connections.push(socket))
    const mailer = makeMailer({ allowPrivate: false })
    const expected = { result: 'failed', code: null, problem: 'private_address' }
    expect(await mailer.send(accountAt({ host, port }), message())).toMatchObject(expected)
    expect(await mailer.verify(accountAt({ host, port }))).toMatchObject(expected)
    expect(connections).toHaveLength(0)
  })

  it("may be the operator's own", async () => {
    const server = await serve()
    const mailer = makeMailer({ allowPrivate: false })
    expect(await mailer.send(accountAt(server, { isOperators: true }), message())).toMatchObject({ result: 'accepted' })
    // The connection of the operator does not become one of a shop that names the same account.
    expect(await mailer.send(accountAt(server), message())).toMatchObject({ problem: 'private_address' })
  })
})

describe.skipIf(!hasOpenssl)('an encrypted connection (needs openssl)', () => {
  const serveSecurely = async (fields: Parameters<typeof startMailServer>[0] = {}) => {
    const { certificateFile, keyFile } = makeCertificate()
    const cert = readFileSync(certificateFile, 'utf8')
    const server = await serve({ key: readFileSync(keyFile), cert, authOptional: false, ...fields })
    return { server, trusting: makeMailer({ trustedCertificates: [cert] }) }
  }
  const signedIn = { ...mailUser, security: 'starttls' } as const

  it('by STARTTLS carries the credentials, which the server checks', async () => {
    const { server, trusting } = await serveSecurely()
    const account = accountAt(server, signedIn)
    expect(await trusting.verify(account)).toMatchObject({ result: 'accepted' })
    expect(await trusting.send(account, message())).toMatchObject({ result: 'accepted' })
    const wrong = { ...account, password: 'wrong' }
    const expected = { result: 'rejected', code: 535, problem: 'unauthorised' }
    expect(await trusting.verify(wrong)).toMatchObject(expected)
    expect(await trusting.send(wrong, message())).toMatchObject(expected)
    expect(server.mails).toHaveLength(1)
  })

  it('from the first byte works too', async () => {
    const { server, trusting } = await serveSecurely({ secure: true })
    const account = accountAt(server, { ...mailUser, security: 'tls' })
    expect(await trusting.send(account, message())).toMatchObject({ result: 'accepted' })
  })

  it('with a certificate that nobody has signed sends nothing', async () => {
    const { server } = await serveSecurely()
    const expected = { result: 'failed', code: null, problem: 'tls' }
    expect(await makeMailer().send(accountAt(server, signedIn), message())).toMatchObject(expected)
    expect(await makeMailer().verify(accountAt(server, signedIn))).toMatchObject(expected)
    expect(server.mails).toHaveLength(0)
  })

  it('is not replaced by a plain one if the server offers none', async () => {
    const server = await serve({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    const outcome = await makeMailer().send(accountAt(server, signedIn), message())
    expect(outcome).not.toMatchObject({ result: 'accepted' })
    expect(server.mails).toHaveLength(0)
  })
})
