import { Page } from '../../../kit/page.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'

export function PaletteSettings() {
  return (
    <Page title={t('brand.title')}>
      <SkeletonLines />
    </Page>
  )
}
