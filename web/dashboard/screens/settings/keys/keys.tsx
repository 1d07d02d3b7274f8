import { Page } from '../../../kit/page.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'

export function Keys() {
  return (
    <Page title={t('keys.title')}>
      <SkeletonLines />
    </Page>
  )
}
