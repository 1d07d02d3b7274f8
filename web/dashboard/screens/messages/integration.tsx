import { Page } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

export function Integration() {
  return (
    <Page title={t('nav.integrations')}>
      <SkeletonLines />
    </Page>
  )
}
