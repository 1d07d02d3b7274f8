import { Page } from '../../../kit/page.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'

export function People() {
  return (
    <Page title={t('people.title')}>
      <SkeletonLines />
    </Page>
  )
}
