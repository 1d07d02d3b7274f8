import { Page } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

export function NoShop() {
  return (
    <Page title={t('account.no_shop')}>
      <SkeletonLines />
    </Page>
  )
}
