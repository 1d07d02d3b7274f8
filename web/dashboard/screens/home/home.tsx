import { Page } from '../../kit/page.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

export function Home() {
  return (
    <Page title={t('home.title')}>
      <SkeletonLines />
    </Page>
  )
}
