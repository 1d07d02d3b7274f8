import { ApiError, type Client, type OperationAt, type Success } from './client.ts'
import type { WebhookEvent } from './events.ts'
import { backoffMs, wait } from './waiting.ts'

/** An event of the feed: the payload of its webhooks, and its position. */
export type FeedEvent = WebhookEvent & {
  /** Store it when the event is processed, and continue after it. */
  cursor: string
}

export interface FollowOptions {
  /** A cursor, or `latest`: only events from now on. Default: from the oldest event that is kept. */
  after?: string
  /** As in `enabled_events` of webhooks: `['shipments/delivered', 'claims']`. Default: all. */
  types?: readonly string[]
  /** How long a reading waits for an event, up to 30. 0: the iterator ends when everything is read. Default: 25. */
  waitSeconds?: number
  /** Events at most per reading. Default: 100. */
  limit?: number
  /** Ends the iterator: it throws the signal's reason. */
  signal?: AbortSignal
  /** How many readings may fail in a row, for reasons that may pass. Default: 10, which is about three minutes. */
  failuresInARow?: number
  /** How to wait between them; for tests. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * The events of a shop, in order and none missing, now and as they happen. Continues where it was after an outage. Throws
 * an ApiError: `cursor_expired` if the events after the cursor are no longer kept.
 */
export async function* followEvents(
  client: Pick<Client, 'get'>,
  slug: string,
  options: FollowOptions = {},
): AsyncGenerator<FeedEvent, void, undefined> {
  const { types, limit, waitSeconds = 25 } = options
  for (let after = options.after; ; ) {
    const query = { after, limit, wait: waitSeconds, types: types?.join(',') }
    const { events, next } = await readPatiently(client, slug, query, options)
    yield* events as FeedEvent[] // the payloads of webhooks
    // A page may be empty because `types` left all of its events out.
    if (waitSeconds === 0 && events.length === 0 && next === after) return
    after = next
  }
}

type Feed = OperationAt<'/v1/shops/{slug}/events', 'get'>
type FeedQuery = NonNullable<Feed['parameters']['query']>

const longestPauseMs = 30_000
/** The time that a read may take beyond its wait for events: a connection may break unnoticed. */
const spareMs = 20_000

/** Reads a page, even if requests fail for a while. */
async function readPatiently(
  client: Pick<Client, 'get'>,
  slug: string,
  query: FeedQuery,
  { signal = new AbortController().signal, failuresInARow = 10, wait: pause = wait }: FollowOptions,
): Promise<Success<Feed>> {
  for (let failures = 1; ; failures += 1) {
    const timeout = AbortSignal.timeout((query.wait ?? 0) * 1_000 + spareMs)
    try {
      return await client.get(
        '/v1/shops/{slug}/events' as never,
        {
          params: { path: { slug }, query },
          signal: AbortSignal.any([signal, timeout]),
        } as never,
      )
    } catch (error) {
      signal.throwIfAborted()
      const mayPass = timeout.aborted || (error instanceof ApiError && isPassing(error))
      if (!mayPass || failures >= failuresInARow) throw error
      const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined
      await pause(seconds === undefined ? backoffMs(failures, longestPauseMs) : seconds * 1_000, signal)
    }
  }
}

function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}
