import { Page } from '../../../kit/page.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'

export function Mappings() {
  return (
    <Page title={t('mappings.title')}>
      <SkeletonLines />
    </Page>
  )
}
