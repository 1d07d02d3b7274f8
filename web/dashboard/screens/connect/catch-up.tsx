import { Button } from '../../kit/button.tsx'
import { Problem } from '../../kit/problem.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { type CatchUp, type ShopSystem, useCatchUp } from './data.ts'
import { problemHint } from './words.tsx'

/** When missed orders were last looked for, and what was found; nothing while the API of the system cannot be called. */
export function CatchUpLine({ system: { name, catch_up } }: { system: ShopSystem }) {
  const again = useCatchUp(name)
  if (catch_up === null) return null
  return (
    <div className="stack tight" aria-live="polite">
      <div className="row">
        <p className="soft">{outcomeOf(catch_up, name)}</p>
        <Button icon="refresh" isBusy={again.isPending} onClick={() => again.mutate()}>
          {t('connect.catch_up.now')}
        </Button>
      </div>
      {catch_up.failed > 0 && (
        <p className="soft">
          {t('connect.catch_up.failed', {
            count: catch_up.failed,
            orders: catch_up.problems.map(({ order, message }) => `${order}: ${message}`).join(' '),
          })}
        </p>
      )}
      {again.error && <Problem error={again.error} />}
    </div>
  )
}

function outcomeOf({ caught_up_at, next_at, created, missed, missed_at, problem }: CatchUp, name: string) {
  if (problem !== null) {
    return rich('connect.catch_up.problem', {
      message: problemHint(problem.key, name) || problem.message,
      time: <RelativeTime at={next_at} />,
    })
  }
  if (caught_up_at === null) return t('connect.catch_up.never')
  const time = <RelativeTime at={caught_up_at} />
  if (created > 0)
    return rich('connect.catch_up.missed', { time, orders: t('connect.catch_up.orders', { count: created }) })
  if (missed_at === null) return rich('connect.catch_up.nothing', { time })
  return rich('connect.catch_up.nothing_since', {
    time,
    orders: t('connect.catch_up.orders', { count: missed }),
    before: <RelativeTime at={missed_at} />,
  })
}
