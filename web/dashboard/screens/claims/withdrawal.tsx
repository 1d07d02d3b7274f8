import { formatDate, formatExactTime } from '../../kit/format.ts'
import { Card, Facts } from '../../kit/page.tsx'
import { Banner } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'
import { wordOf } from '../orders/words.ts'
import type { Claim } from './query.ts'

/** A short title: the reason of a claim, or that it is a withdrawal. */
export function titleOf({ kind, reason }: Claim): string {
  return kind === 'withdrawal' ? t('orders.claim_kind_withdrawal') : wordOf('claim_reason', reason)
}

/** The statement of a withdrawal, as the customer has confirmed it, and whether it is in time. */
export function Statement({ claim: { withdrawal } }: { claim: Claim }) {
  if (withdrawal === null) return null
  const { text, name, contact_email, stated_at, last_day, is_late, is_whole_order } = withdrawal
  return (
    <Card title={t('claims.withdrawal.title')}>
      {text === null ? (
        <p className="soft">{t('claims.withdrawal.erased')}</p>
      ) : (
        <blockquote className="claim-words">{text}</blockquote>
      )}
      <Facts
        facts={[
          [t('claims.withdrawal.name'), name],
          [
            t('claims.withdrawal.email'),
            contact_email && (
              <a href={`mailto:${contact_email}`} className="wrap-anywhere">
                {contact_email}
              </a>
            ),
          ],
          [t('claims.withdrawal.stated'), formatExactTime(stated_at)],
          [
            t('claims.withdrawal.last_day'),
            last_day === null ? t('claims.withdrawal.last_day_open') : formatDate(`${last_day}T12:00:00`),
          ],
          [t('claims.withdrawal.scope'), t(is_whole_order ? 'claims.withdrawal.whole' : 'claims.withdrawal.part')],
        ]}
      />
      {is_late && (
        <Banner tone="late" title={t('claims.withdrawal.late')}>
          {t('claims.withdrawal.late_text')}
        </Banner>
      )}
    </Card>
  )
}
