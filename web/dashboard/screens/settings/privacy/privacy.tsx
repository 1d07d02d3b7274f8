import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, refresh } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Form, problemsByField } from '../../../kit/form.tsx'
import { formatExactTime } from '../../../kit/format.ts'
import { Card, Facts, Page } from '../../../kit/page.tsx'
import { Banner } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'
import type { Erased } from './customer.ts'
import { download } from './download.ts'
import { Found } from './found.tsx'

/** The stored data of one customer: to hand out, or to erase. */
export function Privacy() {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const [receipt, setReceipt] = useState<{ email: string; erased: Erased } | undefined>()
  const look = useMutation({
    mutationFn: async (wanted: string) => ({
      email: wanted,
      counted: await api.post('/v1/shops/{slug}/privacy/erase/preview', {
        params: { path: { slug } },
        body: { email: wanted },
      }),
    }),
    onMutate: () => setReceipt(undefined),
  })
  const onErased = async (erased: Erased) => {
    setReceipt({ email: look.data?.email ?? '', erased })
    look.reset()
    await refresh(queryClient, '/v1/shops/{slug}')
  }
  return (
    <Page title={t('privacy.title')} lead={t('privacy.lead')}>
      <Card title={t('privacy.find')}>
        <Form
          problems={problemsByField(look.error)}
          labels={{ email: t('privacy.email') }}
          onSubmit={() => {
            if (email.trim() !== '') look.mutate(email.trim())
          }}
        >
          <div className="privacy-search">
            <TextField
              label={t('privacy.email')}
              help={t('privacy.email_help')}
              type="email"
              autoComplete="off"
              required
              data-search
              value={email}
              onChange={setEmail}
            />
            <Button type="submit" variant="primary" icon="search" isBusy={look.isPending}>
              {t('privacy.look')}
            </Button>
          </div>
        </Form>
      </Card>
      {look.isPending && <SkeletonLines count={5} />}
      {look.data && <Found email={look.data.email} counted={look.data.counted} onErased={onErased} />}
      {receipt && <Receipt email={receipt.email} erased={receipt.erased} />}
    </Page>
  )
}

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
function Receipt({ email, erased }: { email: string; erased: Erased }) {
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
