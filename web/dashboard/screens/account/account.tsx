import { Page } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

export function Account() {
  return (
    <Page title={t('account.title')}>
      <SkeletonLines />
    </Page>
  )
}
