import { Page } from '../../../kit/page.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'

export function Privacy() {
  return (
    <Page title={t('privacy.title')}>
      <SkeletonLines />
    </Page>
  )
}
