import { DateTime, Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'
import { queueNames } from './queue-store.ts'
import { checkNames } from './readiness.ts'

const Text = (example: string) => Type.String({ examples: [example] })
const Count = Type.Integer({ minimum: 0 })

export const Status = Named(
  'Status',
  Type.Object({
    version: Text('0.3.0'),
    node_version: Text('v22.11.0'),
    role: OneOf(['all', 'api', 'worker']),
    started_at: DateTime,
    checks: Type.Array(
      Type.Object({
        name: OneOf(checkNames),
        state: OneOf(['ok', 'warning', 'failed']),
        message: Text('The store responds.'),
      }),
    ),
    store: Type.Object({
      engine: OneOf(['embedded', 'postgres']),
      version: Text('16.4'),
      schema: Text('0064_nodes_and_job_runs.sql'),
      bytes: Count,
      tables: Type.Array(Type.Object({ name: Text('orders'), bytes: Count, rows_estimate: Nullable(Count) }), {
        description: 'The largest ones. Numbers of rows are estimates of the planner.',
      }),
    }),
    queues: Type.Array(
      Type.Object({
        name: OneOf(queueNames),
        oldest_due_at: Nullable(DateTime),
        oldest_seconds: Type.Number({ minimum: 0, description: '0: nothing is due.' }),
      }),
    ),
    open_circuits: Count,
    slow_statements: Type.Object({
      source: OneOf(['pg_stat_statements', 'process'], {
        description: '`process`: statements of the process that responds, from 50 ms, since it started.',
      }),
      statements: Type.Array(
        Type.Object({ text: Text('select 1'), count: Count, total_ms: Type.Number(), max_ms: Type.Number() }),
      ),
    }),
    disk: Nullable(Type.Object({ free_bytes: Count, size_bytes: Count })),
    images_in: OneOf(['data_folder', 's3']),
    clock_skew_ms: Nullable(Type.Number({ description: "How far the store's clock is ahead of this machine's." })),
    nodes: Type.Array(
      Type.Object({
        host: Text('doorstep-1'),
        pid: Count,
        role: OneOf(['all', 'api', 'worker']),
        version: Text('0.3.0'),
        started_at: DateTime,
        seen_at: DateTime,
      }),
    ),
    jobs: Type.Array(
      Type.Object({
        name: Text('figures'),
        state: OneOf(['ok', 'failed', 'overdue']),
        every_seconds: Nullable(Type.Number()),
        started_at: DateTime,
        finished_at: Nullable(DateTime),
        failed_at: Nullable(DateTime),
      }),
    ),
    backups: Type.Object({
      every_hours: Nullable(Type.Integer({ description: 'Null: the process that responds has no `BACKUP_TO`.' })),
      last_at: Nullable(DateTime),
      last_bytes: Nullable(Count),
      failed_at: Nullable(DateTime),
      failure: Nullable(Text('The folder cannot be written to.')),
    }),
  }),
)

export type Status = Static<typeof Status>
