import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { untilThereAre } from './patience.ts'

export interface ReceivedMail extends ParsedMail {
  /** The sender and recipients of the envelope. */
  envelope: { from: string; to: string[] }
  raw: string
}

/** A mail server on loopback: takes what it is sent, and parses it. */
export interface MailServer {
  host: string
  port: number
  mails: ReceivedMail[]
  /** Waits until that many have arrived. */
  until(count: number): Promise<void>
  /** The server's response to a message; undefined: it accepts it. */
  reject: (mail: { to: string; raw: string }) => { code: number; message: string } | undefined
  close(): Promise<void>
}

export const mailUser = { username: 'doorstep', password: 'correct horse battery staple' }

/** STARTTLS is offered with a certificate of smtp-server's own, which no client trusts; `options` replaces it. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    // Clients keep their connections for later messages.
    closeTimeout: 50,
    onAuth({ username, password }, _session, done) {
      const isRight = username === mailUser.username && password === mailUser.password
      if (isRight) done(null, { user: username })
      else done(Object.assign(new Error('Invalid login'), { responseCode: 535 }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address
        const rejection = server.reject({ to: to[0] ?? '', raw })
        if (rejection) return done(Object.assign(new Error(rejection.message), { responseCode: rejection.code }))
        mails.push({ ...(await simpleParser(raw)), envelope: { from, to }, raw })
        return done()
      })
    },
    ...options,
  })
  // A client that closes in the middle is not an error of the test.
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const server: MailServer = {
    host: '127.0.0.1',
    port: (smtp.server.address() as AddressInfo).port,
    mails,
    until: (count) => untilThereAre(count, mails, 'messages'),
    reject: () => undefined,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
  return server
}
