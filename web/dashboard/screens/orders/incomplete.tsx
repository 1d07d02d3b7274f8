import { Banner } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'

interface IncompleteProps {
  search: { q?: string | undefined }
  result: { isComplete?: boolean } | undefined
}

/** Says that a list ends before the records do, and what to do about it. */
export function Incomplete({ search, result }: IncompleteProps) {
  if (result?.isComplete !== false) return null
  return (
    <Banner title={t('orders.incomplete')}>
      <p>{t(search.q === undefined ? 'orders.incomplete_filter' : 'orders.incomplete_search')}</p>
    </Banner>
  )
}
