import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { simpleParser } from 'mailparser'
import { call } from './lib/call.ts'
import { shippedOrder } from './lib/dataset.ts'
import type { MailLoop } from './lib/mail-loop.ts'
import type { SinkCommand, SinkProgress, SinkSample } from './lib/mail-sink.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { sendAndWait, startProcess } from './lib/processes.ts'
import { startServiceProcess } from './lib/service.ts'
import { median, printTable } from './table.ts'

const total = Number(process.env.BENCH_MESSAGES ?? 100_000)
const steps = 10
const step = Math.ceil(total / steps)
const messages = step * steps
/** The first of the steps are warm-up: connections are opened, code is compiled. */
const warmUpSteps = 2
/** The connections that a mailer with this rate opens; bare nodemailer gets as many. */
const rate = 100_000
const connections = 20
const serverUrl = process.env.BENCH_DATABASE_URL
if (!serverUrl)
  throw new Error('BENCH_DATABASE_URL is missing: orders are accepted by one process and mailed by another.')

console.log(`Node ${process.version}, ${cpus().length} cores, ${messages} messages over ${connections} connections`)
const sink = startProcess('./mail-sink.ts')
const { port } = (await sink.ready) as { port: number }
const own = await createOwnDatabase(serverUrl)
try {
  const { sample, ...ours } = await measureDoorstep(own.url)
  const bare = await measureBare(await toMail(sample))
  console.log()
  printTable(
    ['messages', 'per second', 'resident memory of the worker, MB'],
    ours.rows.map(({ count, perSecond, residentMb }) => [
      String(count),
      perSecond.toFixed(0),
      residentMb?.toFixed(0) ?? '',
    ]),
  )
  const perSecond = { ours: rateOf(ours.rows), bare: rateOf(bare.rows) }
  printTable(
    ['through', 'messages per second', 'processor time per message, ms'],
    [
      ['Doorstep, from a backlog', perSecond.ours.toFixed(0), ours.cpuMs.toFixed(2)],
      ['bare nodemailer with a pool', perSecond.bare.toFixed(0), bare.cpuMs.toFixed(2)],
      ['ours as a multiple', (perSecond.ours / perSecond.bare).toFixed(2), (ours.cpuMs / bare.cpuMs).toFixed(2)],
    ],
  )
} finally {
  sink.child.kill()
  await own.drop()
}

interface Measured {
  rows: Row[]
  /** Processor time per message, which tells more than the rate on a busy machine. */
  cpuMs: number
}

interface Row {
  count: number
  perSecond: number
  residentMb?: number
}

/** Accepts all orders before any worker starts, so that only sending is measured. */
async function measureDoorstep(databaseUrl: string): Promise<Measured & { sample: string }> {
  const store = { DATABASE_URL: databaseUrl }
  const api = await startServiceProcess(store, 'api')
  try {
    await call(api.port, 'POST', '/v1/shops', { name: 'River & Pine', slug: 'bench' })
    await call(api.port, 'PUT', '/v1/shops/bench/keys/smtp', {
      host: '127.0.0.1',
      port,
      security: 'none',
      from_name: 'River & Pine',
      from_address: 'orders@river-and-pine.example',
      reply_to: 'help@river-and-pine.example',
    })
    await call(api.port, 'PATCH', '/v1/shops/bench/settings/mail', { quiet_hours: { enabled: false } })
    await call(api.port, 'PATCH', '/v1/shops/bench/settings/triggers/smtp', { status: true })
    for (let from = 0; from < messages; from += 250) {
      const numbers = Array.from({ length: Math.min(250, messages - from) }, (_, index) => `M${from + index}`)
      await call(api.port, 'PUT', '/v1/shops/bench/orders/bulk', numbers.map(shippedOrder))
    }
    const { rows, sample } = listen()
    const worker = await startServiceProcess(store, 'worker', {
      SMTP_RATE: String(rate),
      WEBHOOK_ALLOW_PRIVATE: 'on',
    })
    try {
      const cpuBefore = cpuSecondsOf(worker.pid)
      const measured = await rows(() => residentMbOf(worker.pid))
      return { rows: measured, cpuMs: cpuMsPerMessage(worker.pid, cpuBefore), sample: await sample }
    } finally {
      await worker.stop()
    }
  } finally {
    await api.stop()
  }
}

async function measureBare(mail: MailLoop['mail']): Promise<Measured> {
  const { child, ready } = startProcess('./mail-loop.ts')
  await ready
  const { rows } = listen()
  const pid = child.pid ?? 0
  const cpuBefore = cpuSecondsOf(pid)
  const measured = rows(() => undefined)
  await sendAndWait(child, { port, connections, count: messages, inFlight: 32, mail } satisfies MailLoop)
  const cpuMs = cpuMsPerMessage(pid, cpuBefore)
  child.kill()
  return { rows: await measured, cpuMs }
}

/** Collects what arrives from now on: a row for each step, and the first message. */
function listen() {
  let onSample: (raw: string) => void = () => {}
  const sample = new Promise<string>((resolve) => {
    onSample = resolve
  })
  const progress: SinkProgress[] = []
  let onProgress: () => void = () => {}
  sink.child.removeAllListeners('message')
  sink.child.on('message', (message: SinkProgress | SinkSample) => {
    if ('raw' in message) return onSample(message.raw)
    progress.push(message)
    return onProgress()
  })
  sink.child.send({ step } satisfies SinkCommand)
  const startedAt = Date.now()
  const rows = (resident: () => number | undefined): Promise<Row[]> =>
    new Promise((resolve) => {
      const found: Row[] = []
      onProgress = () => {
        for (const { count, at } of progress.slice(found.length)) {
          const beforeMs = progress[found.length - 1]?.at ?? startedAt
          const residentMb = resident()
          const perSecond = (step / (at - beforeMs)) * 1_000
          found.push({ count, perSecond, ...(residentMb === undefined ? {} : { residentMb }) })
          console.log(`${count} arrived, ${perSecond.toFixed(0)} per second, ${residentMb?.toFixed(0) ?? '-'} MB`)
        }
        if (found.length === steps) resolve(found)
      }
      onProgress()
    })
  return { rows, sample }
}

function rateOf(rows: Row[]): number {
  return median(rows.slice(warmUpSteps).map(({ perSecond }) => perSecond))
}

/** The message as the service rendered it. */
async function toMail(raw: string): Promise<MailLoop['mail']> {
  const { subject = '', html, text = '', headers, attachments } = await simpleParser(raw)
  console.log(`a message has ${raw.length} bytes, ${headers.size} headers and ${attachments.length} attachments`)
  return {
    from: { name: 'River & Pine', address: 'orders@river-and-pine.example' },
    replyTo: 'help@river-and-pine.example',
    subject,
    html: html || '',
    text,
  }
}

function residentMbOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1_024
}

function cpuMsPerMessage(pid: number, before: number): number {
  return ((cpuSecondsOf(pid) - before) * 1_000) / messages
}

/** In user and kernel mode; the kernel counts in hundredths of a second. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
