import { useQuery } from '@tanstack/react-query'
import { read } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { Page } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'
import { Behaviour, BehaviourFacts } from './behaviour.tsx'
import { MessageList } from './message-list.tsx'
import { BounceHooks, Reach } from './reach.tsx'
import { Sending } from './sending.tsx'
import { settingsPath } from './words.ts'

/** E-mail to customers: how it is sent, and what it says. */
export function MailSettings() {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const query = useQuery(read(settingsPath, { params: { path: { slug } } }))
  return (
    <Page title={t('mail.title')} lead={t('mail.lead')}>
      {query.isPending && <SkeletonLines count={6} />}
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data && <Sending settings={query.data} />}
      {query.data &&
        (mayChange ? <Behaviour key={slug} stored={query.data} /> : <BehaviourFacts settings={query.data} />)}
      <MessageList />
      <Reach />
      {mayChange && <BounceHooks />}
    </Page>
  )
}
