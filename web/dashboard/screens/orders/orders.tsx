import { Page } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

export function Orders() {
  return (
    <Page title={t('orders.title')}>
      <SkeletonLines />
    </Page>
  )
}
