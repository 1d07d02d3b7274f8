import { Page } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

export function Integrations() {
  return (
    <Page title={t('nav.integrations')}>
      <SkeletonLines />
    </Page>
  )
}
