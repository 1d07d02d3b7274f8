import { Page } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

export function Exceptions() {
  return (
    <Page title={t('exceptions.title')}>
      <SkeletonLines />
    </Page>
  )
}
