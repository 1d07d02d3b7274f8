import { Page } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

export function Delivery() {
  return (
    <Page title={t('messages.title')}>
      <SkeletonLines />
    </Page>
  )
}
