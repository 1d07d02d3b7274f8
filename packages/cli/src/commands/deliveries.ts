import type { Schemas } from 'doorstep-client'
import { paginate } from 'doorstep-client/pages'
import { command } from '../frame/command.ts'
import { CliError, UsageError } from '../frame/errors.ts'
import { exitCodes } from '../frame/exit-codes.ts'
import type { Options } from '../frame/option.ts'
import type { Output } from '../frame/output.ts'
import { pageSize, shortTime, take, timeOfDay, untilInterrupted } from '../frame/streams.ts'

type Delivery = Schemas['Delivery']

const statuses = ['pending', 'delivered', 'skipped', 'dead'] as const

const filters = {
  webhook: { type: 'string', value: 'ID', summary: 'Only those to this webhook endpoint' },
  integration: { type: 'string', value: 'NAME', summary: 'Only those to this integration' },
  event: { type: 'string', value: 'EVENT', summary: 'Only those of this event, such as OUT_FOR_DELIVERY' },
} as const satisfies Options

interface Filters {
  webhook: string | undefined
  integration: string | undefined
  event: string | undefined
}

/** The most that one command sends again. */
const mostResent = 10_000
const pollMs = 2_000

export const deliveriesList = command({
  name: 'deliveries list',
  summary: 'List what was sent to webhooks and integrations',
  details: 'The newest first. A dead delivery has failed for good: "doorstep deliveries resend" sends it again.',
  needs: 'shop',
  options: {
    ...filters,
    status: { type: 'string', value: 'STATUS', summary: 'Only those with this status', choices: statuses },
    limit: { type: 'number', value: 'COUNT', summary: 'At most so many', default: 20 },
  },
  examples: [
    { line: 'deliveries list', says: 'The last 20' },
    { line: 'deliveries list --status dead --limit 100', says: 'What your receiver has missed' },
  ],
  async run({ client, shop, options, output }) {
    const query = {
      ...queryOf(options),
      ...(options.status ? { status: options.status } : {}),
      per_page: Math.min(options.limit, pageSize),
    }
    const params = { path: { slug: shop }, query }
    const items = await take(paginate(client, '/v1/shops/{slug}/deliveries', { params }), options.limit)
    output.result(items, () =>
      items.length === 0
        ? 'There are no such deliveries.'
        : output.table(
            ['ID', 'CREATED', 'STATUS', 'EVENT', 'ORDER', 'RECEIVER', 'ATTEMPTS', 'RESPONSE'],
            items.map((one) => [
              one.uuid,
              shortTime(one.created_at),
              paintStatus(one, output),
              one.event_name,
              one.order_number ?? '—',
              receiverOf(one),
              String(one.attempt_count),
              responseOf(one),
            ]),
          ),
    )
  },
})

export const deliveriesShow = command({
  name: 'deliveries show',
  summary: 'Show a delivery with its payload and attempts',
  needs: 'shop',
  arguments: [{ name: 'id', summary: 'the id of the delivery' }],
  examples: [
    { line: 'deliveries show 0192f0c1-7e57-7000-8000-000000000001', says: 'The body, and how each attempt went' },
  ],
  async run({ client, shop, arguments: { id }, output }) {
    const one = await client.get('/v1/shops/{slug}/deliveries/{delivery_id}', {
      params: { path: { slug: shop, delivery_id: id } },
    })
    output.result(one, () =>
      [
        output.fields([
          ['id', one.uuid],
          ['event', one.ref],
          ['status', paintStatus(one, output)],
          ['order', one.order_number ?? '—'],
          ['receiver', one.url ?? receiverOf(one)],
        ]),
        '',
        output.table(
          ['ATTEMPT', 'STARTED', 'TOOK', 'RESPONSE'],
          one.attempts.map((each) => [
            String(each.number),
            shortTime(each.started_at),
            `${each.duration_ms} ms`,
            String(each.status_code ?? each.error ?? each.reason ?? '—'),
          ]),
        ),
        '',
        JSON.stringify(one.payload, undefined, 2),
      ].join('\n'),
    )
  },
})

export const deliveriesTail = command({
  name: 'deliveries tail',
  summary: 'Watch deliveries as they are attempted',
  details: 'One line for each delivery whenever something happens to it, until Ctrl+C.',
  needs: 'shop',
  options: filters,
  examples: [
    { line: 'deliveries tail', says: 'To all receivers of the shop' },
    { line: 'deliveries tail --integration klaviyo --json', says: 'One JSON line per change' },
  ],
  async run({ client, shop, options, io, signal, output }) {
    const known = new Map<string, string>()
    const read = async (): Promise<Delivery[]> => {
      const query = { ...queryOf(options), per_page: pageSize }
      const { items } = await client.list('/v1/shops/{slug}/deliveries', {
        params: { path: { slug: shop }, query },
        signal,
      })
      const changed = items.filter((one) => known.get(one.uuid) !== stateOf(one))
      for (const one of changed) known.set(one.uuid, stateOf(one))
      return changed.reverse()
    }
    await read()
    output.note(`Watching the deliveries of ${shop}. Ctrl+C ends it.`)
    await untilInterrupted(signal, async () => {
      for (;;) {
        await io.wait(pollMs)
        for (const one of await read()) output.item(one, () => lineOf(one, io.now(), output))
      }
    })
  },
})

export const deliveriesResend = command({
  name: 'deliveries resend',
  summary: 'Send deliveries again',
  details: 'Those with the given ids, or with --dead all that have failed for good.',
  needs: 'shop',
  arguments: [{ name: 'id', summary: 'the ids of the deliveries', isOptional: true, isRepeatable: true }],
  options: { ...filters, dead: { type: 'boolean', summary: 'All that have failed for good, up to 10,000' } },
  examples: [
    { line: 'deliveries resend 0192f0c1-7e57-7000-8000-000000000001', says: 'One of them' },
    {
      line: 'deliveries resend --dead --webhook 0192f0c1-7e57-7000-8000-000000000002',
      says: 'After your receiver was down',
    },
  ],
  async run({ client, shop, arguments: { id: given }, options, output }) {
    if (options.dead === given.length > 0) throw new UsageError('Give the ids of deliveries, or --dead.')
    const path = { slug: shop }
    const ids = options.dead ? await findDead() : given
    let resent = 0
    const notFound: string[] = []
    for (let start = 0; start < ids.length; start += pageSize) {
      const body = { deliveries: ids.slice(start, start + pageSize) }
      const outcome = await client.post('/v1/shops/{slug}/deliveries/resend', { params: { path }, body })
      resent += outcome.resent
      notFound.push(...outcome.not_found)
    }
    output.result({ resent, not_found: notFound }, `Sending ${resent} again.`)
    if (notFound.length === 0) return
    throw new CliError(`There is no such delivery: ${notFound.join(', ')}`, { exitCode: exitCodes.notFound })

    // Read before the first one is sent: those that are sent again leave the pages.
    async function findDead(): Promise<string[]> {
      const query = { ...queryOf(options), status: 'dead' as const, per_page: pageSize }
      const dead = paginate(client, '/v1/shops/{slug}/deliveries', { params: { path, query } })
      return (await take(dead, mostResent)).map(({ uuid }) => uuid)
    }
  },
})

function queryOf({ webhook, integration, event }: Filters) {
  return {
    ...(webhook ? { webhook_id: webhook } : {}),
    ...(integration ? { integration } : {}),
    ...(event ? { event: event.toUpperCase() } : {}),
  }
}

function lineOf(one: Delivery, now: Date, output: Output): string {
  const { dim } = output.paint
  return [
    dim(timeOfDay(now)),
    paintStatus(one, output),
    one.event_name,
    dim('→'),
    receiverOf(one),
    dim(responseOf(one)),
  ].join(' ')
}

function stateOf({ status, attempt_count }: Delivery): string {
  return `${status} ${attempt_count}`
}

function paintStatus({ status }: Pick<Delivery, 'status'>, { paint }: Output): string {
  const colours = { pending: paint.yellow, delivered: paint.green, skipped: paint.dim, dead: paint.red }
  return colours[status](status)
}

function receiverOf({ integration, url, webhook_id }: Pick<Delivery, 'integration' | 'url' | 'webhook_id'>): string {
  return integration ?? url ?? webhook_id ?? '—'
}

function responseOf({ attempts, next_attempt_at, status }: Delivery): string {
  const last = attempts.at(-1)
  if (!last) return '—'
  const outcome = String(last.status_code ?? last.reason ?? last.error ?? '—')
  return status === 'pending' && next_attempt_at ? `${outcome}, again at ${shortTime(next_attempt_at)}` : outcome
}
