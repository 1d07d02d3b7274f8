import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { read, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { PhaseBadge } from '../../app/words.tsx'
import { Button } from '../../kit/button.tsx'
import { ChoiceField, SelectField, TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { formatCountry } from '../../kit/format.ts'
import { Table } from '../../kit/list/table.tsx'
import { Card, Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { UpdatesOff } from '../carriers/providers.tsx'
import { countries, type Item, journeys, type Play, readNumber, steps, usePlay } from './play.ts'
import { SandboxOff, WhoIsTold } from './who-is-told.tsx'

const usual: Play = {
  journey: 'DELIVERED',
  step: '2S',
  name: 'Ada Example',
  email: 'ada@example.com',
  country: 'DE',
  items: [
    { title: 'Rain jacket', quantity: 1 },
    { title: 'Wool socks', quantity: 2 },
  ],
}

/** Makes an order up and lets its parcel travel, as fast as one likes. */
export function Sandbox() {
  const [play, setPlay] = useState(usual)
  const start = usePlay()
  const set = (change: Partial<Play>) => {
    start.reset()
    setPlay((before) => ({ ...before, ...change }))
  }
  const problems = problemsByField(start.error)
  return (
    <Page title={t('nav.sandbox')} lead={t('sandbox.lead')}>
      <UpdatesOff />
      <SandboxOff />
      <WhoIsTold />
      <Form problems={problems} onSubmit={() => start.mutate(play)}>
        <div className="pair">
          <Card title={t('sandbox.journey')}>
            <ChoiceField
              label={t('sandbox.what_happens')}
              value={play.journey}
              choices={journeys.map((value) => ({ value, label: t(`sandbox.journeys.${value}`) }))}
              onChange={(journey) => set({ journey })}
            />
            <SelectField
              label={t('sandbox.speed')}
              value={play.step}
              choices={steps.map((value) => ({ value: value as string, label: t(`sandbox.steps.${value}`) }))}
              onChange={(step) => set({ step })}
            />
          </Card>
          <Card title={t('sandbox.order')}>
            <TextField
              label={t('sandbox.name')}
              value={play.name}
              autoComplete="off"
              error={problems['order.address.name']}
              onChange={(name) => set({ name })}
            />
            <TextField
              label={t('sandbox.email')}
              type="email"
              value={play.email}
              autoComplete="off"
              help={t('sandbox.email_help')}
              error={problems['order.email_id']}
              onChange={(email) => set({ email })}
            />
            <SelectField
              label={t('sandbox.country')}
              value={play.country}
              choices={countries.map((value) => ({ value, label: formatCountry(value) }))}
              onChange={(country) => set({ country })}
            />
            <Items items={play.items} onChange={(items) => set({ items })} />
          </Card>
        </div>
        <div>
          <Button type="submit" variant="primary" icon="bolt" isBusy={start.isPending}>
            {t('sandbox.play')}
          </Button>
        </div>
      </Form>
      <Past />
    </Page>
  )
}

const mostItems = 10

/** The ordered items. */
function Items({ items, onChange }: { items: readonly Item[]; onChange: (items: Item[]) => void }) {
  const put = (index: number, item: Item) => onChange(items.map((known, at) => (at === index ? item : known)))
  return (
    <fieldset className="sandbox-items stack tight">
      <legend className="strong">{t('sandbox.items')}</legend>
      {items.map((item, index) => (
        // Items have no name of their own: their place is what identifies them.
        <div key={`${index + 0}`} className="sandbox-item">
          <TextField
            label={t('sandbox.item', { number: index + 1 })}
            isLabelHidden
            value={item.title}
            maxLength={200}
            onChange={(title) => put(index, { ...item, title })}
          />
          <TextField
            label={t('sandbox.quantity', { number: index + 1 })}
            isLabelHidden
            type="number"
            min={1}
            max={99}
            value={String(item.quantity)}
            onChange={(typed) =>
              put(index, { ...item, quantity: Math.min(99, Math.max(1, Math.trunc(Number(typed)) || 1)) })
            }
          />
          <Button
            variant="quiet"
            icon="trash"
            isIconOnly
            disabled={items.length === 1}
            onClick={() => onChange(items.filter((_item, at) => at !== index))}
          >
            {t('sandbox.remove_item', { number: index + 1 })}
          </Button>
        </div>
      ))}
      {items.length < mostItems && (
        <div>
          <Button isSmall icon="plus" onClick={() => onChange([...items, { title: '', quantity: 1 }])}>
            {t('sandbox.add_item')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** The latest parcels of the sandbox; the list of parcels has all of them. */
function Past() {
  const slug = useSlug()
  const query = useQuery({
    ...read('/v1/shops/{slug}/lists/shipments', {
      params: { path: { slug }, query: { carrier_reference: 'sandbox', per_page: 10 } },
    }),
    refetchInterval: refreshMs,
  })
  return (
    <Card
      title={t('sandbox.past')}
      aside={
        <Link to="/$slug/shipments" params={{ slug }} search={{ carrier: 'sandbox' }} className="small">
          {t('sandbox.all')}
        </Link>
      }
    >
      {query.isPending ? (
        <SkeletonLines count={4} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : query.data.shipments.length === 0 ? (
        <p className="soft">{t('sandbox.none')}</p>
      ) : (
        <Table
          label={t('sandbox.past')}
          rows={query.data.shipments}
          keyOf={({ shipment_id }) => shipment_id}
          nameOf={({ order_number }) => order_number}
          columns={[
            {
              name: 'order',
              label: t('sandbox.order'),
              cell: ({ order_id, order_number }) => (
                <Link to="/$slug/sandbox/$orderId" params={{ slug, orderId: order_id }}>
                  {order_number}
                </Link>
              ),
            },
            {
              name: 'journey',
              label: t('sandbox.journey'),
              cell: ({ tracking_number }) => {
                const number = readNumber(tracking_number)
                return number ? t(`sandbox.journeys.${number.journey}`) : (tracking_number ?? '')
              },
            },
            {
              name: 'state',
              label: t('sandbox.state'),
              cell: ({ phase, flag }) => <PhaseBadge phase={phase} flag={flag} />,
            },
            { name: 'when', label: t('sandbox.when'), cell: ({ created_at }) => <RelativeTime at={created_at} /> },
          ]}
        />
      )}
    </Card>
  )
}
