import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { formatExactTime } from '../../../kit/format.ts'
import { Card, Facts } from '../../../kit/page.tsx'
import { Banner } from '../../../kit/problem.tsx'
import { t } from '../../../texts/texts.ts'
import type { Erased } from './customer.ts'
import { download } from './download.ts'

const counts = [
  'orders',
  'shipments',
  'events',
  'claims',
  'images',
  'notifications',
  'deliveries_cancelled',
  'campaign_views',
] as const

/** The proof of an erasure. The address is on it only as long as this page is open: it is stored nowhere. */
export function Receipt({ email, erased }: { email: string; erased: Erased }) {
  const slug = useSlug()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1} className="stack receipt">
      <Banner tone="good" title={t('privacy.erased', { email })}>
        <p>{t('privacy.erased_text')}</p>
      </Banner>
      {erased.unfinished_imports > 0 && (
        <Banner tone="late" title={t('privacy.will.unfinished_imports', { count: erased.unfinished_imports })} />
      )}
      <Card
        title={t('privacy.receipt')}
        aside={
          <Button
            icon="download"
            isSmall
            onClick={() => download(`erasure-${erased.receipt_id}.json`, JSON.stringify(erased, undefined, 2))}
          >
            {t('privacy.receipt_download')}
          </Button>
        }
      >
        <Facts
          facts={[
            [t('privacy.receipt_number'), <code key="id">{erased.receipt_id}</code>],
            [t('privacy.receipt_time'), formatExactTime(erased.erased_at)],
            [t('privacy.receipt_by'), erased.erased_by],
            [t('privacy.receipt_customer'), <code key="hash">{erased.customer_hash}</code>],
            ...counts
              .filter((name) => erased[name] > 0)
              .map((name) => [t(`privacy.count.${name}`), t('privacy.number', { value: erased[name] })] as const),
          ]}
        />
        <p className="soft small">{t('privacy.receipt_note')}</p>
        <p>
          <Link
            to="/$slug/settings/audit-log"
            params={{ slug }}
            search={{ kind: 'customer', subject: erased.customer_hash }}
          >
            {t('privacy.receipt_log')}
          </Link>
        </p>
      </Card>
    </div>
  )
}
