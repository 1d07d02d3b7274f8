import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read, readList } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { CopyTable } from '../../../kit/copy.tsx'
import { formatNumber } from '../../../kit/format.ts'
import { Card, Facts } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'
import { addressPath } from './words.ts'

/** How many messages were sent in the last 30 days, what customers did with them, and who gets none. */
export function Reach() {
  const slug = useSlug()
  const figures = useQuery(read('/v1/shops/{slug}/mail/figures', { params: { path: { slug } } }))
  const stopped = useQuery(readList(addressPath, { params: { path: { slug }, query: { page: 1, per_page: 1 } } }))
  if (figures.isError) return <Problem error={figures.error} retry={() => void figures.refetch()} />
  return (
    <Card title={t('mail.reach')}>
      {figures.data ? (
        <Facts
          facts={[
            [t('mail.reach_sent'), formatNumber(figures.data.sent)],
            [
              t('mail.reach_clicks'),
              figures.data.counts_clicks ? formatNumber(figures.data.clicks) : t('mail.reach_clicks_off'),
            ],
            [
              t('mail.addresses'),
              <Link key="addresses" to="/$slug/settings/mail/addresses" params={{ slug }}>
                {stoppedWords(stopped.data)}
              </Link>,
            ],
          ]}
        />
      ) : (
        <SkeletonLines count={3} />
      )}
      <p className="soft small">{t('mail.reach_help')}</p>
    </Card>
  )
}

function stoppedWords(stopped: { total: number | undefined } | undefined): string {
  if (stopped === undefined) return t('mail.addresses_show')
  return stopped.total === undefined ? t('mail.addresses_many') : t('mail.addresses_count', { count: stopped.total })
}

/** The addresses for the mail provider's reports of bounces and complaints. For admins: they contain a secret. */
export function BounceHooks() {
  const slug = useSlug()
  const hooks = useQuery(read('/v1/shops/{slug}/mail/hooks', { params: { path: { slug } } }))
  return (
    <Card title={t('mail.bounces')}>
      <p>{t('mail.bounces_text')}</p>
      {hooks.isError && <Problem error={hooks.error} retry={() => void hooks.refetch()} />}
      {hooks.data && (
        <details>
          <summary>{t('mail.bounces_show')}</summary>
          <div className="stack">
            <p className="soft small">{t('mail.bounces_secret')}</p>
            <CopyTable label="Postmark" rows={[{ name: t('mail.bounces_postmark'), value: hooks.data.postmark_url }]} />
            <CopyTable
              label={t('mail.bounces_others')}
              rows={[
                { name: t('mail.bounces_address'), value: hooks.data.bounces_url },
                { name: t('mail.bounces_key'), value: hooks.data.secret },
              ]}
            />
            <p className="soft small">{t('mail.bounces_signed')}</p>
          </div>
        </details>
      )}
    </Card>
  )
}
