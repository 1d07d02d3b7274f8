import { createTransport } from 'nodemailer'

export interface MailLoop {
  port: number
  connections: number
  count: number
  inFlight: number
  mail: { from: { name: string; address: string }; subject: string; html: string; text: string; replyTo: string }
}

/** Bare nodemailer with a pool, at its best settings: connections are used for ever, and nothing is logged or stored. */
process.on('message', async ({ port, connections, count, inFlight, mail }: MailLoop) => {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
  })
  let sent = 0
  const send = async (): Promise<void> => {
    while (sent < count) {
      sent += 1
      const to = { name: 'Ada Example', address: `customer-${sent}@example.com` }
      await transport.sendMail({ ...mail, to, messageId: `<${sent}@river-and-pine.example>` })
    }
  }
  await Promise.all(Array.from({ length: inFlight }, send))
  transport.close()
  process.send?.({ sent })
})
process.send?.({ isReady: true })
