import { useQuery } from '@tanstack/react-query'
import { read } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { Page } from '../../../kit/page.tsx'
import { Banner, Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'
import { Recipients } from './recipients.tsx'
import { Subscription } from './subscription.tsx'

/** Messages to the team: what the one who is signed in gets, and for admins who else. */
export function TeamMail() {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const query = useQuery(read('/v1/shops/{slug}/team-mail', { params: { path: { slug } } }))
  return (
    <Page title={t('team_mail.title')} lead={t('team_mail.lead')}>
      {query.isPending && <SkeletonLines count={6} />}
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <div className="stack loose">
          {!query.data.can_send && (
            <Banner tone="late" title={t('team_mail.cannot_send')}>
              {t('team_mail.cannot_send_text')}
            </Banner>
          )}
          <Subscription key={slug} stored={query.data} />
        </div>
      )}
      {mayChange && <Recipients />}
    </Page>
  )
}
