import { Link } from '@tanstack/react-router'
import { useSlug } from '../../app/session.ts'
import { t } from '../../texts/texts.ts'

/** From the queue to its figures and back. */
export function ClaimTabs({ isReasons = false }: { isReasons?: boolean }) {
  const slug = useSlug()
  return (
    <nav className="segments" aria-label={t('claims.tabs')}>
      <Link
        to="/$slug/claims"
        params={{ slug }}
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={isReasons ? undefined : 'page'}
      >
        {t('claims.desk')}
      </Link>
      <Link to="/$slug/claims/reasons" params={{ slug }} aria-current={isReasons ? 'page' : undefined}>
        {t('claims.reasons')}
      </Link>
    </nav>
  )
}
