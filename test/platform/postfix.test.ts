import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MailAccount } from '../../src/platform/mail/account.ts'
import type { Mailer, MailOutcome } from '../../src/platform/mail/mailer.ts'
import type { MailMessage } from '../../src/platform/mail/message.ts'
import { createSmtpMailer } from '../../src/platform/mail/smtp-mailer.ts'
import { hasOpenssl, makeCertificate } from '../harness/certificate.ts'
import { hasPostfix, type Postfix, startPostfix } from '../harness/postfix.ts'

let server: Postfix
let mailer: Mailer

const account = (fields: Partial<MailAccount> = {}): MailAccount => ({
  host: server.host,
  port: server.port,
  security: 'starttls',
  username: null,
  password: null,
  fromName: 'River & Pine',
  fromAddress: 'orders@river-and-pine.example',
  replyTo: 'help@river-and-pine.example',
  ...fields,
})

const message = (fields: Partial<MailMessage> = {}): MailMessage => ({
  messageId: 'a-message@river-and-pine.example',
  to: 'maria@customer.example',
  toName: 'María Ñandú',
  subject: 'Dein Paket ist unterwegs – heute',
  html: `<p>${'Grüße über eine lange Zeile. '.repeat(60)}</p>`,
  text: 'Hallo María\n.\nEin Punkt allein beendet nichts.\n',
  references: ['first@river-and-pine.example'],
  returnPath: 'bounce+abc.def.01234567@bounces.example',
  headers: { 'List-Unsubscribe': '<https://doorstep.example/u/abc>' },
  ...fields,
})

describe.skipIf(!hasPostfix || !hasOpenssl)("Debian's postfix", () => {
  beforeAll(async () => {
    const certificate = makeCertificate(() => {})
    server = await startPostfix(certificate)
    mailer = createSmtpMailer({
      allowPrivate: true,
      messagesPerSecond: 1_000,
      trustedCertificates: [readFileSync(certificate.certificateFile, 'utf8')],
    })
  })
  afterAll(async () => {
    await mailer?.close()
    server?.stop()
  })

  it('delivers a message over TLS as it was given', async () => {
    expect(await mailer.verify(account())).toMatchObject({ result: 'accepted' })
    const mail = message()
    expect(await mailer.send(account(), mail)).toMatchObject({ result: 'accepted' })
    await expect.poll(async () => (await server.inbox()).length).toBe(1)
    const [arrived] = await server.inbox()
    expect(arrived?.messageId).toBe(`<${mail.messageId}>`)
    expect(arrived?.subject).toBe(mail.subject)
    expect(arrived?.from?.value).toEqual([{ name: 'River & Pine', address: 'orders@river-and-pine.example' }])
    expect(arrived?.replyTo?.text).toBe('help@river-and-pine.example')
    expect(arrived?.inReplyTo).toBe('<first@river-and-pine.example>')
    expect(arrived?.text?.trim()).toBe(mail.text.trim())
    expect(arrived?.html).toContain(mail.html)
    expect(arrived?.headerLines.find(({ key }) => key === 'return-path')?.line).toContain(mail.returnPath)
    expect(arrived?.headerLines.find(({ key }) => key === 'received')?.line).toMatch(/with ESMTPS/)
  })

  it('rejects an unknown recipient and a large message for good, and defers another', async () => {
    const outcomes = [
      await mailer.send(account(), message({ to: 'nobody@customer.example' })),
      await mailer.send(account(), message({ text: 'x'.repeat(200_000) })),
      await mailer.send(account(), message({ to: 'later@customer.example' })),
    ]
    expect(outcomes).toMatchObject([
      { result: 'rejected', code: 550, problem: 'recipient_rejected' },
      { result: 'rejected', code: 552 },
      { result: 'failed', code: 450 },
    ])
    expect(JSON.stringify(outcomes)).not.toContain('nobody@')
  })

  it('takes a hundred messages over pooled connections, each once', async () => {
    const before = (await server.inbox()).length
    const ids = Array.from({ length: 100 }, (_, n) => `message-${n}@river-and-pine.example`)
    const outcomes: MailOutcome[] = []
    for (let at = 0; at < ids.length; at += 20) {
      const some = ids.slice(at, at + 20).map((messageId) => mailer.send(account(), message({ messageId })))
      outcomes.push(...(await Promise.all(some)))
    }
    expect(outcomes.filter(({ result }) => result !== 'accepted')).toEqual([])
    await expect.poll(async () => (await server.inbox()).length).toBe(before + ids.length)
    const arrived = new Set((await server.inbox()).map(({ messageId }) => messageId))
    expect(ids.filter((id) => !arrived.has(`<${id}>`))).toEqual([])
  })
})
