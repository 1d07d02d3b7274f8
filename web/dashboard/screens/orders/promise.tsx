import { basisWords, PromiseBadge, type PromisedDelivery, promiseDay, promiseDays } from '../../app/promise-words.tsx'
import { formatShare } from '../../kit/format.ts'
import { Card, Facts } from '../../kit/page.tsx'
import { t } from '../../texts/texts.ts'

/** What the customer was promised, what it was based on, and what became of it. Nothing without a promise. */
export function PromiseCard({ promise }: { promise: PromisedDelivery | null }) {
  if (promise === null) return null
  const { latest, likeliest, method, percentile, share_by_latest, sample_size, basis, state, chance, delivered_on } =
    promise
  const isOpen = state === 'open' || state === 'at_risk'
  return (
    <Card title={t('promise.title')} aside={<PromiseBadge state={state} />}>
      <p className="strong">{promiseDays(promise)}</p>
      <p>{t(`promise.words_${wordsFor(promise)}`, { day: promiseDay(delivered_on ?? latest) })}</p>
      <Facts
        facts={[
          [t('promise.chance'), isOpen && chance !== null ? formatShare(chance) : undefined],
          [t('promise.method'), method],
          [t('promise.likeliest'), likeliest && promiseDay(likeliest)],
          [t('promise.percentile'), percentile === null ? undefined : formatShare(percentile)],
          [
            t('promise.basis'),
            basis === null
              ? t('promise.basis_given')
              : [
                  basisWords(basis, sample_size ?? 0),
                  share_by_latest !== null && t('promise.share', { share: formatShare(share_by_latest) }),
                ]
                  .filter(Boolean)
                  .join('; '),
          ],
        ]}
      />
    </Card>
  )
}

function wordsFor({ state, delivered_on }: PromisedDelivery) {
  return state === 'broken' && delivered_on === null ? 'overdue' : state
}
