import { createHmac } from 'node:crypto'
import { fastify } from 'fastify'
import pg from 'pg'
import { Agent, request } from 'undici'

/**
 * The same job through another queue: an event is accepted over HTTP, written to a table and queued with its payload
 * (in one transaction if the queue is in PostgreSQL), and a worker of the same process posts the payload, signed, to
 * the receiver. It does not authenticate, validate, update a shipment, build a payload or log attempts: the ratio
 * includes what that costs us. The last contestant keeps a log as merchants see it: one row for each delivery, with the
 * outcome of its attempt.
 */
export const queueNames = ['pg-boss', 'graphile-worker', 'BullMQ', 'BullMQ with a log of deliveries'] as const
/** Their newest versions do not run on every Node that we support: BENCH_NODE is the path of one they run on. */
export const needNewerNode: readonly string[] = ['pg-boss', 'graphile-worker']
export type QueueName = (typeof queueNames)[number]

export interface QueueSettings {
  databaseUrl: string
  redisUrl: string
  receiverUrl: string
  /** The body that is posted for each event. */
  payload: string
}

interface Job {
  number: string
  /** The body. */
  body: string
  /** The id of its row in the log, if there is one. */
  delivery?: string
}

/** A queue behind two methods. */
interface Queue {
  /** Writes the event and queues its delivery. */
  add(job: Job): Promise<void>
  work(deliver: (job: Job) => Promise<void>): Promise<void>
}

/** Twice as many as our own worker has in flight for one endpoint, and as many as the bare loop. */
const concurrency = 32
const insertEvent = 'insert into bench_events (number, name) values ($1, $2)'
const eventName = 'PARCEL_DISPATCHED'

const queues: Record<QueueName, (settings: QueueSettings, pool: pg.Pool) => Promise<Queue>> = {
  async 'pg-boss'({ databaseUrl }, pool) {
    const { PgBoss } = await import('pg-boss')
    const boss = new PgBoss({ connectionString: databaseUrl, max: 10 })
    boss.on('error', fail)
    await boss.start()
    await boss.createQueue('deliveries')
    return {
      add: (job) =>
        inTransaction(pool, async (client) => {
          await client.query(insertEvent, [job.number, eventName])
          const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) }
          await boss.send('deliveries', job, { db })
        }),
      async work(deliver) {
        // Fetches on without a pause as long as batches are full. Several fetchers: a single one waits for the slowest job
        // of its batch.
        const options = {
          batchSize: concurrency,
          localConcurrency: 4,
          burstWhenBatchFull: true,
          pollingIntervalSeconds: 0.5,
        }
        await boss.work<Job>('deliveries', options, async (jobs) => {
          await Promise.all(jobs.map(({ data }) => deliver(data)))
        })
      },
    }
  },

  async 'graphile-worker'(_settings, pool) {
    const { makeWorkerUtils, run, Logger } = await import('graphile-worker')
    const logger = new Logger(() => () => {})
    const tools = await makeWorkerUtils({ pgPool: pool, logger })
    await tools.migrate()
    return {
      add: (job) =>
        inTransaction(pool, async (client) => {
          await client.query(insertEvent, [job.number, eventName])
          await client.query('select graphile_worker.add_job($1, $2)', ['deliver', JSON.stringify(job)])
        }),
      async work(deliver) {
        await run({
          pgPool: pool,
          logger,
          noHandleSignals: true,
          preset: {
            worker: {
              concurrentJobs: concurrency,
              pollInterval: 1_000,
              // Fetches many at once and completes many at once, instead of one by one.
              localQueue: { size: 4 * concurrency },
              completeJobBatchDelay: 0,
              failJobBatchDelay: 0,
            },
          },
          taskList: { deliver: (job) => deliver(job as Job) },
        })
      },
    }
  },

  BullMQ: (settings, pool) =>
    openBullMq(settings, {
      // Not atomic across two databases: an event can be written whose delivery is never queued.
      async write({ number }) {
        await pool.query(insertEvent, [number, eventName])
        return undefined
      },
    }),

  async 'BullMQ with a log of deliveries'(settings, pool) {
    await pool.query(`create table if not exists bench_deliveries (id bigserial primary key, number text not null,
      status text not null default 'pending', created_at timestamptz not null default now(), finished_at timestamptz)`)
    return openBullMq(settings, {
      async write({ number }) {
        const { rows } = await pool.query<{ id: string }>(
          `with event as (${insertEvent}) insert into bench_deliveries (number) values ($1) returning id`,
          [number, eventName],
        )
        return rows[0]?.id
      },
      async note({ delivery }) {
        await pool.query(`update bench_deliveries set status = 'delivered', finished_at = now() where id = $1`, [
          delivery,
        ])
      },
    })
  },
}

/** The rows that are written to PostgreSQL in addition to a queue outside it. */
interface Rows {
  /** Returns the id of the delivery's row in the log. */
  write(job: Job): Promise<string | undefined>
  /** Notes the time of the delivery. */
  note?(job: Job): Promise<void>
}

async function openBullMq({ redisUrl }: QueueSettings, rows: Rows): Promise<Queue> {
  const { Queue: BullQueue, Worker } = await import('bullmq')
  const { hostname: host, port } = new URL(redisUrl)
  const connection = { host, port: Number(port || 6379) }
  const name = `bench-${process.pid}`
  const queue = new BullQueue(name, { connection, defaultJobOptions: { removeOnComplete: true } })
  process.on('exit', () => void queue.obliterate({ force: true }))
  return {
    async add(job) {
      const delivery = await rows.write(job)
      await queue.add('deliver', delivery === undefined ? job : { ...job, delivery })
    },
    async work(deliver) {
      const execute = async ({ data }: { data: Job }) => {
        await deliver(data)
        await rows.note?.(data)
      }
      new Worker<Job>(name, execute, { connection, concurrency }).on('error', fail)
    },
  }
}

const name = process.argv[3]
if (process.send && name !== undefined && name in queues) {
  const settings = JSON.parse(process.argv[4] ?? '') as QueueSettings // written by startQueue
  await serve(name as QueueName, settings) // checked just before
  process.on('disconnect', () => process.exit())
}

async function serve(kind: QueueName, settings: QueueSettings): Promise<void> {
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 16 })
  pool.on('error', fail)
  await pool.query('create table if not exists bench_events (number text not null, name text not null)')
  const queue = await queues[kind](settings, pool)
  const dispatcher = new Agent({ connections: concurrency, pipelining: 1 })
  const deliver = async ({ body }: Job): Promise<void> => {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', 'the-secret-of-the-benchmark').update(`${timestamp}.${body}`).digest('hex')
    const response = await request(settings.receiverUrl, {
      method: 'POST',
      dispatcher,
      body,
      headers: { 'content-type': 'application/json', 'service-signature': `t=${timestamp},v1=${signature}` },
    })
    await response.body.dump()
    if (response.statusCode !== 200) throw new Error(`the receiver returned ${response.statusCode}`)
  }
  const app = fastify()
  app.post('/v1/shops/:slug/shipment-events', async (incoming) => {
    const { id } = incoming.body as { id: string }
    await queue.add({ number: id, body: settings.payload.replace('{number}', id) })
    return {}
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number } // it listens on a port, not on a path
  process.on('message', () => {
    queue.work(deliver).then(() => process.send?.({ isWorking: true }), fail)
  })
  process.send?.({ port })
}

async function inTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

function fail(error: unknown): void {
  console.error(error)
  process.exit(1)
}
