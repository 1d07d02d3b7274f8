import { Banner } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'

/** Says that a list ends before the records do, and what to do about it. */
export function Incomplete({ isSearch }: { isSearch: boolean }) {
  return (
    <Banner title={t('orders.incomplete')}>
      <p>{t(isSearch ? 'orders.incomplete_search' : 'orders.incomplete_filter')}</p>
    </Banner>
  )
}
