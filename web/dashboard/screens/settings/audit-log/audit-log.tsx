import { Page } from '../../../kit/page.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'

export function AuditLog() {
  return (
    <Page title={t('audit.title')}>
      <SkeletonLines />
    </Page>
  )
}
