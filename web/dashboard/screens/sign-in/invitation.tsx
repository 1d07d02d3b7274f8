import { Page } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

export function Invitation() {
  return (
    <Page title={t('sign_in.title')}>
      <SkeletonLines />
    </Page>
  )
}
