import { Button } from '../../kit/button.tsx'
import { Facts } from '../../kit/page.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { hasText, t } from '../../texts/texts.ts'
import type { Check, ShopSystem, useCheck } from './data.ts'
import { problemHint, problemTitle, reasonHint, speakerOf } from './words.tsx'

interface LiveCheckProps {
  system: string
  check: ReturnType<typeof useCheck>
  /** The problem that is known without a new check. */
  known?: ShopSystem['problem']
}

/** A button that tries the connection, and the result as text. */
export function LiveCheck({ system, check, known = null }: LiveCheckProps) {
  return (
    <div className="stack" aria-live="polite">
      {check.error ? (
        <Problem error={check.error} />
      ) : check.data ? (
        <CheckResult check={check.data} system={system} />
      ) : (
        known && <KnownProblem problem={known} system={system} />
      )}
      <div>
        <Button icon="refresh" isBusy={check.isPending} onClick={() => check.mutate()}>
          {t(check.data || known ? 'connect.check_again' : 'connect.check_now')}
        </Button>
      </div>
    </div>
  )
}

function KnownProblem({ problem, system }: { problem: NonNullable<ShopSystem['problem']>; system: string }) {
  const hint = reasonHint(problem.reason, problem.use_address, system) ?? problemHint(problem.key, system)
  return (
    <Banner tone="wrong" title={problemTitle(problem.key, system)}>
      <p>{hint || problem.message}</p>
    </Banner>
  )
}

function CheckResult({ check, system }: { check: Check; system: string }) {
  if (check.result === 'ok') {
    return (
      <Banner tone="good" title={t('connect.result.ok', { system: speakerOf(system) })}>
        <Facts facts={factsOf(check.facts)} />
      </Banner>
    )
  }
  return (
    <Banner tone="wrong" title={problemTitle(check.result, system)}>
      <div className="stack tight">
        <p>{reasonHint(check.reason, check.facts.use_address ?? null, system) ?? problemHint(check.result, system)}</p>
        {check.missing_permissions.length > 0 && (
          <p>
            {t('connect.missing_permissions')}{' '}
            {check.missing_permissions.map((name) => (
              <code key={name} className="scope">
                {name}
              </code>
            ))}
          </p>
        )}
        {saysSomething(check) && (
          <p className="small soft">
            {t('connect.said', {
              system: speakerOf(system),
              answer: answerOf(check),
            })}
          </p>
        )}
      </div>
    </Banner>
  )
}

/** The server's response as text. The detail often names the status already. */
function answerOf({ status, detail }: Check): string {
  if (status !== null && detail?.split(/[ .,:;]/).includes(String(status))) return detail
  return [status, detail].filter(Boolean).join(' ')
}

/** A success that is not enough has nothing to add. */
function saysSomething({ detail, reason, status }: Check): boolean {
  if (reason !== null && status === null) return false
  return detail !== null || (status !== null && status >= 400)
}

/** The facts that have a name in our language. */
function factsOf(facts: Record<string, string>): [string, string][] {
  return Object.entries(facts).flatMap(([name, value]): [string, string][] => {
    const key = `connect.fact.${name}`
    return hasText(key) ? [[t(key), value]] : []
  })
}
