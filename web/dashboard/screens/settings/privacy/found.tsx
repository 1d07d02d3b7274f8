import { useMutation } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/dialog.tsx'
import { formatDate } from '../../../kit/format.ts'
import { Card, Facts } from '../../../kit/page.tsx'
import { Banner, Problem } from '../../../kit/problem.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import type { Counted, Erased } from './customer.ts'
import { download } from './download.ts'

interface FoundProps {
  email: string
  counted: Counted
  onErased: (erased: Erased) => Promise<void>
}

/** The customer's records in numbers, and the actions on them. */
export function Found({ email, counted, onErased }: FoundProps) {
  const slug = useSlug()
  const toasts = useToasts()
  const [isAsking, setAsking] = useState(false)
  const hand = useMutation({
    mutationFn: () => exportEverything(slug, email),
    onSuccess: (data) => {
      download(`customer-data-${slug}.json`, JSON.stringify(data, undefined, 2))
      toasts.done(t('privacy.exported', { count: data.orders.length }))
    },
  })
  const erase = useMutation({
    mutationFn: () => api.post('/v1/shops/{slug}/privacy/erase', { params: { path: { slug } }, body: { email } }),
    onSuccess: (erased) => {
      setAsking(false)
      return onErased(erased)
    },
    onError: () => setAsking(false),
  })
  if (counted.orders === 0) {
    return (
      <Banner tone="info" title={t('privacy.nothing', { email })}>
        <p>{t('privacy.nothing_text')}</p>
      </Banner>
    )
  }
  return (
    <Card title={t('privacy.found', { email })}>
      {hand.isError && <Problem error={hand.error} retry={() => hand.mutate()} />}
      {erase.isError && <Problem error={erase.error} retry={() => erase.mutate()} />}
      <div className="privacy-counts">
        <Facts facts={factsOf(counted)} />
      </div>
      <p className="soft small">{periodOf(counted)}</p>
      {!counted.is_complete && <p className="soft small">{t('privacy.more_orders')}</p>}
      <div className="privacy-acts">
        <section className="stack tight">
          <h3>{t('privacy.export')}</h3>
          <p className="soft">{t('privacy.export_text')}</p>
          <div>
            <Button icon="download" isBusy={hand.isPending} onClick={() => hand.mutate()}>
              {t('privacy.export_action')}
            </Button>
          </div>
        </section>
        <section className="stack tight">
          <h3>{t('privacy.erase')}</h3>
          <p className="soft">{t('privacy.erase_text')}</p>
          <div>
            <Button variant="danger" icon="trash" isBusy={erase.isPending} onClick={() => setAsking(true)}>
              {t('privacy.erase_action')}
            </Button>
          </div>
        </section>
      </div>
      {isAsking && (
        <Confirm
          title={t('privacy.confirm_title', { email })}
          action={t('privacy.confirm_action', { count: counted.orders })}
          isBusy={erase.isPending}
          onConfirm={() => erase.mutate()}
          onClose={() => setAsking(false)}
        >
          <ul className="bullets">
            {consequencesOf(counted).map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
          <p>{t('privacy.confirm_stays')}</p>
          <p className="strong">{t('privacy.confirm_final')}</p>
        </Confirm>
      )}
    </Card>
  )
}

/** The period in which the orders were placed. */
function periodOf({ first_order_at: first, last_order_at: last }: Counted): string {
  if (first === null || last === null) return ''
  const [from, to] = [formatDate(first), formatDate(last)]
  return from === to ? t('privacy.period_one', { date: from }) : t('privacy.period', { from, to })
}

function factsOf(counted: Counted): [string, string][] {
  return [
    [t('privacy.count.orders'), number(counted.orders)],
    [t('privacy.count.shipments'), number(counted.shipments)],
    [t('privacy.count.events'), number(counted.events)],
    [t('privacy.count.claims'), number(counted.claims)],
    [t('privacy.count.notifications'), number(counted.notifications)],
  ]
}

/** The consequences, in numbers; zeros are left out. */
function consequencesOf(counted: Counted): string[] {
  const names = ['orders', 'shipments', 'claims', 'notifications', 'deliveries_pending', 'unfinished_imports'] as const
  return names.filter((name) => counted[name] > 0).map((name) => t(`privacy.will.${name}`, { count: counted[name] }))
}

function number(value: number): string {
  return t('privacy.number', { value })
}

type CustomerExport = Schemas['CustomerExport']

/** The whole export, however many responses it takes. */
async function exportEverything(slug: string, email: string): Promise<CustomerExport> {
  const path = '/v1/shops/{slug}/privacy/export'
  const params = { path: { slug } }
  let part: CustomerExport = await api.post(path, { params, body: { email } })
  const whole = part
  while (part.continue_after !== null) {
    part = await api.post(path, { params, body: { email, after: part.continue_after } })
    whole.orders.push(...part.orders)
  }
  return { ...whole, is_complete: true, continue_after: null }
}
