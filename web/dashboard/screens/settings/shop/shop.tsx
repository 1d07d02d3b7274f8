import { Page } from '../../../kit/page.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'

export function ShopSettings() {
  return (
    <Page title={t('shop.title')}>
      <SkeletonLines />
    </Page>
  )
}
