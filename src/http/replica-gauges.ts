import { Counter, Gauge, type Registry } from 'prom-client'
import type { Replicas } from '../platform/store/replicas.ts'

/** Metrics of the servers that served reads which may be seconds old, and of the lag of each replica. */
export function addReplicaGauges(registry: Registry, replicas: Replicas): void {
  new Counter({
    name: 'doorstep_replica_reads_total',
    help: 'Reads that a replica may serve, by the server that served them.',
    labelNames: ['server'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [server, count] of Object.entries(replicas.reads)) this.inc({ server }, count)
    },
  })
  new Gauge({
    name: 'doorstep_replica_lag_seconds',
    help: 'How far each replica is behind, in the order of DATABASE_REPLICA_URL; none while it does not respond.',
    labelNames: ['replica'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset()
      for (const [index, lag] of replicas.lags.entries()) if (lag !== undefined) this.set({ replica: index + 1 }, lag)
    },
  })
}
