import { type AddressInfo, createServer } from 'node:net'

/** Every so many messages, what has arrived so far. */
export interface SinkProgress {
  count: number
  /** The time at which the latest of them arrived. */
  at: number
}

/** Counts from here on, and reports every `step` messages; or reports now, with everybody who got one. */
export type SinkCommand = { step: number } | { isReport: true }

export interface SinkReport {
  count: number
  recipients: string[]
}

/** The first message since the last command, as it arrived. */
export interface SinkSample {
  raw: string
}

const end = '\r\n.\r\n'
let count = 0
let step = Number.POSITIVE_INFINITY
let isSampled = true

const recipients = new Set<string>()

/** A mail server that takes everything and keeps only who it was for, so that the sender is what is measured. */
const server = createServer((socket) => {
  let text = ''
  let isData = false
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.write('220 sink\r\n')
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
    for (;;) {
      const at = text.indexOf(isData ? end : '\r\n')
      if (at === -1) return
      const part = text.slice(0, at)
      text = text.slice(at + (isData ? end.length : 2))
      if (isData) {
        isData = false
        arrived(part)
        socket.write('250 queued\r\n')
      } else {
        isData = /^DATA/i.test(part)
        const recipient = /^RCPT TO:<([^>]*)>/i.exec(part)?.[1]
        if (recipient !== undefined) recipients.add(recipient)
        socket.write(replyTo(part))
        if (/^QUIT/i.test(part)) socket.end()
      }
    }
  })
})

function replyTo(command: string): string {
  if (/^EHLO/i.test(command)) return '250-sink\r\n250 8BITMIME\r\n'
  if (/^DATA/i.test(command)) return '354 go on\r\n'
  return /^QUIT/i.test(command) ? '221 bye\r\n' : '250 ok\r\n'
}

function arrived(raw: string): void {
  count += 1
  if (!isSampled) {
    isSampled = true
    process.send?.({ raw: Buffer.from(raw, 'latin1').toString('utf8') } satisfies SinkSample)
  }
  if (count % step === 0) process.send?.({ count, at: Date.now() } satisfies SinkProgress)
}

process.on('message', (command: SinkCommand) => {
  if ('isReport' in command) {
    process.send?.({ count, recipients: [...recipients] } satisfies SinkReport)
    return
  }
  step = command.step
  count = 0
  isSampled = false
  recipients.clear()
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
