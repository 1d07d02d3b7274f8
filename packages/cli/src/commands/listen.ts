import { randomBytes } from 'node:crypto'
import type { Client } from 'doorstep-client'
import { type FeedEvent, followEvents } from 'doorstep-client/feed'
import { signWebhook } from 'doorstep-client/webhooks'
import { command } from '../frame/command.ts'
import { connect } from '../frame/connection.ts'
import { UsageError } from '../frame/errors.ts'
import type { Io } from '../frame/io.ts'
import type { Output } from '../frame/output.ts'
import { untilInterrupted } from '../frame/streams.ts'
import { feedOptions, lineOf } from './events.ts'

/** How long a receiver may take, as with real webhooks. */
const receiverLimitMs = 15_000

export const listen = command({
  name: 'listen',
  summary: 'Send events to the receiver you are writing',
  details:
    'Reads the event feed and sends each event to an address of yours, signed as a webhook is: no tunnel, and nothing to set\n' +
    'up in the shop. It prints the secret to verify with; --secret keeps the same one. A failed request is not repeated. It\n' +
    'continues where it was after a disconnect, and ends with Ctrl+C.',
  needs: 'shop',
  options: {
    'forward-to': {
      type: 'string',
      short: 'f',
      value: 'URL',
      summary: 'Your receiver, such as localhost:3000/webhooks',
      isRequired: true,
    },
    ...feedOptions,
    secret: { type: 'string', value: 'SECRET', summary: 'The secret to sign with; otherwise a new one is made' },
    from: {
      type: 'string',
      value: 'PLACE',
      summary: 'Where to begin: latest, oldest, or the cursor of an event',
      default: 'latest',
    },
  },
  examples: [
    { line: 'listen --forward-to localhost:3000/webhooks', says: 'Everything from now on' },
    { line: 'listen -f localhost:3000 --events shipments/delivered --secret whsec_dGVzdA==', says: 'Deliveries only' },
  ],
  async run({ connection, shop, options, io, signal, output }) {
    const target = readTarget(options['forward-to'])
    const secret = options.secret ?? `whsec_${randomBytes(24).toString('base64')}`
    const client = connect({ ...io, fetch: reportingOutages(io, output) }, connection, output)
    const types = options.events.length > 0 ? options.events : undefined
    const after = await findStart(client, shop, { from: options.from, types })
    output.note(`Sending the events of ${shop} to ${target}. Ctrl+C ends it.`)
    output.note(`Secret to verify with: ${output.paint.bold(secret)}\n`)
    await untilInterrupted(signal, async () => {
      const endless = { failuresInARow: Number.POSITIVE_INFINITY, signal }
      for await (const event of followEvents(client, shop, { after, types, ...endless })) {
        const outcome = await forward(event, { target, secret, signal, io })
        output.item({ cursor: event.cursor, ref: event.ref, ...outcome }, () =>
          lineOf(event, output, outcomeText(outcome, output)),
        )
      }
    })
  },
})

interface ForwardResult {
  status: number | null
  duration_ms: number
  error: string | null
}

/** A first reading that does not wait: wrong credentials or events end the command at once. */
async function findStart(
  client: Client,
  slug: string,
  { from, types }: { from: string; types: readonly string[] | undefined },
): Promise<string | undefined> {
  const query = {
    ...(from === 'oldest' ? {} : { after: from }),
    ...(types ? { types: types.join(',') } : {}),
    limit: 1,
  }
  const { next } = await client.get('/v1/shops/{slug}/events', { params: { path: { slug }, query } })
  if (from === 'latest') return next
  return from === 'oldest' ? undefined : from
}

async function forward(
  event: FeedEvent,
  { target, secret, signal, io }: { target: string; secret: string; signal: AbortSignal; io: Io },
): Promise<ForwardResult> {
  const { cursor, ...payload } = event
  const body = JSON.stringify(payload)
  // The same event has the same id, however often it is sent.
  const headers = await signWebhook(body, secret, { id: `msg_${cursor}`, timestamp: io.now() })
  const started = performance.now()
  const took = () => Math.round(performance.now() - started)
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(receiverLimitMs)]),
    })
    await response.body?.cancel()
    return { status: response.status, duration_ms: took(), error: null }
  } catch (error) {
    signal.throwIfAborted()
    return { status: null, duration_ms: took(), error: reasonOf(error as Error) } // fetch throws nothing else
  }
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `no response within ${receiverLimitMs / 1_000} s`
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  return code ?? error.message
}

function outcomeText({ status, duration_ms, error }: ForwardResult, { paint }: Output): string {
  if (status === null) return paint.red(error ?? 'failed')
  const isAccepted = status >= 200 && status < 300
  return `${(isAccepted ? paint.green : paint.red)(String(status))}  ${paint.dim(`${duration_ms} ms`.padStart(7))}`
}

/** `localhost:3000/hook` is meant as http. */
function readTarget(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(address)) throw new UsageError(`--forward-to must be an address, not "${text}".`)
  return new URL(address).href
}

/** Says once that the service is gone, and once that it is back. */
function reportingOutages(io: Io, output: Output): NonNullable<Io['fetch']> {
  const send = io.fetch ?? ((request: Request) => fetch(request))
  let isDown = false
  return async (request) => {
    const response = await send(request).catch((error: unknown) => {
      if (!isDown && !request.signal.aborted) output.note(output.paint.yellow('The connection is lost. Trying again …'))
      isDown = true
      throw error
    })
    if (isDown && response.ok) {
      isDown = false
      output.note(output.paint.green('Connected again.'))
    }
    return response
  }
}
