import { Page } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

export function Shipment() {
  return (
    <Page title={t('shipments.title')}>
      <SkeletonLines />
    </Page>
  )
}
