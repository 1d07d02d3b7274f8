import type { FailureReason } from './failure-reason.ts'
import type { ReceiverHealth } from './health-schema.ts'
import type { AttemptCounts, StoredHealth } from './health-store.ts'

/** The health of a receiver; of a new one, nothing is stored. */
export function toHealth(stored: StoredHealth | undefined, receiver: { isOn: boolean }): ReceiverHealth {
  const { lastSuccessAt = null, lastFailureAt = null, failingSince = null } = stored ?? {}
  return {
    state: stateOf(receiver.isOn, { lastSuccessAt, lastFailureAt, failingSince }),
    failing_since: failingSince?.toISOString() ?? null,
    last_success_at: lastSuccessAt?.toISOString() ?? null,
    last_failure: lastFailureAt && {
      at: lastFailureAt.toISOString(),
      reason: (stored?.lastFailureReason ?? null) as FailureReason | null, // written by recordHealth only
      status_code: stored?.lastFailureStatus ?? null,
      delivery_id: stored?.lastFailureDelivery ?? null,
    },
    consecutive_failures: stored?.consecutiveFailures ?? 0,
    last_24_hours: toFigures(stored?.day),
    last_7_days: toFigures(stored?.week),
    pending: stored?.pending ?? 0,
    dead: stored?.dead ?? 0,
  }
}

function stateOf(
  isOn: boolean,
  {
    lastSuccessAt,
    lastFailureAt,
    failingSince,
  }: Pick<StoredHealth, 'lastSuccessAt' | 'lastFailureAt' | 'failingSince'>,
): ReceiverHealth['state'] {
  if (!isOn) return 'disabled'
  if (failingSince !== null) return 'failing'
  return lastSuccessAt === null && lastFailureAt === null ? 'no_deliveries' : 'healthy'
}

function toFigures({ delivered, failed, dead }: AttemptCounts = { delivered: 0, failed: 0, dead: 0 }) {
  const attempts = delivered + failed
  return {
    attempts,
    failed_attempts: failed,
    delivered,
    dead,
    success_rate: attempts === 0 ? null : delivered / attempts,
  }
}
