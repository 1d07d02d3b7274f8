import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { useEventNames } from '../../app/words.tsx'
import { Button, ButtonAnchor } from '../../kit/button.tsx'
import { Confirm, Dialog } from '../../kit/dialog.tsx'
import { Check, SelectField, TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { Menu, MenuItem } from '../../kit/menu.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

export interface Parcel {
  shipmentId: string
  orderId: string
  trackingNumber: string | null
  carrierReference: string | null
}

/** Reloads the data that a change to a parcel affects. */
async function refreshParcel(queryClient: ReturnType<typeof useQueryClient>): Promise<void> {
  await refresh(queryClient, '/v1/shops/{slug}/orders', '/v1/shops/{slug}/shipments', '/v1/shops/{slug}/lists')
}

/** The customer's page, in a window of its own. Viewers get a preview of it, in which no link works. */
export function CustomerPageLink({ orderId }: { orderId: string }) {
  const slug = useSlug()
  if (useMay('editor')) return <OpenPage slug={slug} orderId={orderId} />
  const preview = `/v1/shops/${encodeURIComponent(slug)}/orders/${encodeURIComponent(orderId)}/page-preview`
  return (
    <ButtonAnchor icon="external" href={preview} target="_blank" rel="noopener">
      {t('orders.preview_page')}
    </ButtonAnchor>
  )
}

/** This visit is not counted as one of the customer. */
function OpenPage({ slug, orderId }: { slug: string; orderId: string }) {
  const { data } = useQuery({
    queryKey: ['page address', slug, orderId],
    queryFn: () =>
      api.post('/v1/shops/{slug}/orders/trackpage-url', {
        params: { path: { slug } },
        body: { id: orderId, id_type: 'uuid' },
      }),
    staleTime: 60_000,
  })
  if (data === undefined) return null
  // The path only: the page is on the same host, whatever `PUBLIC_URL` is.
  const { pathname } = new URL(data.url)
  return (
    <ButtonAnchor icon="external" href={`${pathname}?from=dashboard`} target="_blank" rel="noopener">
      {t('orders.open_page')}
    </ButtonAnchor>
  )
}

/** Adds an event that the carrier did not report. */
function AddEvent({ parcel, onClose }: { parcel: Parcel; onClose: () => void }) {
  const slug = useSlug()
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const names = useEventNames()
  const isDraft = parcel.trackingNumber === null
  const choices = names
    .filter(({ phase }) => !isDraft || phase === 'order_created' || phase === 'order_cancelled')
    .map(({ event_name, text, phase }) => ({ value: event_name, label: `${t(`phase.${phase}`)}: ${text}` }))
  const [eventName, setEventName] = useState('')
  const [time, setTime] = useState('')
  const [notify, setNotify] = useState(false)
  const chosen = eventName || (choices[0]?.value ?? '')
  const add = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/shipments/{shipment_id}/events', {
        params: { path: { slug, shipment_id: parcel.shipmentId }, query: { notify } },
        body: { event_name: chosen, ...(time === '' ? {} : { event_time: new Date(time).toISOString() }) } as never, // one of the names above
      }),
    onSuccess: async () => {
      toasts.done(t('orders.event_added'))
      onClose()
      await refreshParcel(queryClient)
    },
  })
  const problems = problemsByField(add.error)
  return (
    <Dialog title={t('orders.add_event')} onClose={onClose} closesLightly={eventName === ''}>
      <Form
        problems={problems}
        labels={{ event_name: t('orders.event'), event_time: t('orders.event_time') }}
        onSubmit={() => add.mutate()}
      >
        <SelectField
          label={t('orders.event')}
          value={chosen}
          choices={choices}
          onChange={setEventName}
          error={problems.event_name}
        />
        <TextField
          type="datetime-local"
          label={t('orders.event_time')}
          help={t('orders.event_time_help')}
          value={time}
          onChange={setTime}
          error={problems.event_time}
        />
        <Check label={t('orders.notify')} help={t('orders.notify_help')} isChecked={notify} onChange={setNotify} />
        <div className="row end">
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button type="submit" variant="primary" isBusy={add.isPending}>
            {t('orders.add_event')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** Corrects the carrier or the number of a parcel. */
function CorrectCarrier({ parcel, onClose }: { parcel: Parcel; onClose: () => void }) {
  const slug = useSlug()
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const { data: carriers = [] } = useQuery({ ...read('/v1/carriers'), staleTime: Number.POSITIVE_INFINITY })
  const [carrier, setCarrier] = useState(parcel.carrierReference ?? '')
  const [number, setNumber] = useState(parcel.trackingNumber ?? '')
  const isRenumbered = parcel.trackingNumber !== null && number.trim() !== parcel.trackingNumber
  const isChanged = isRenumbered || carrier !== (parcel.carrierReference ?? '')
  const correct = useMutation({
    mutationFn: (to: { carrier: string; number: string }) =>
      // The path has two operations, and the names of the other's parameters.
      api.patch('/v1/shops/{slug}/orders/{order_identifier}/shipments/{tracking_number}', {
        params: { path: { slug, order_identifier: parcel.orderId, tracking_number: parcel.shipmentId } },
        body: {
          ...(to.carrier === '' ? {} : { carrier_reference: to.carrier }),
          ...(to.number === parcel.trackingNumber || to.number === '' ? {} : { tracking_number: to.number }),
        },
      }),
    onSuccess: async () => {
      toasts.done(t('orders.carrier_corrected'))
      onClose()
      await refreshParcel(queryClient)
    },
  })
  const problems = problemsByField(correct.error)
  const choices = carriers
    .map(({ carrier_reference, name }) => ({ value: carrier_reference, label: name }))
    .toSorted((left, right) => left.label.localeCompare(right.label))
  return (
    <Dialog title={t('orders.correct_carrier')} onClose={onClose} closesLightly={!isChanged}>
      <Form
        problems={problems}
        labels={{ carrier_reference: t('shipments.carrier'), tracking_number: t('shipments.number') }}
        onSubmit={() => correct.mutate({ carrier, number: number.trim() })}
      >
        <SelectField
          label={t('shipments.carrier')}
          value={carrier}
          choices={carrier === '' ? [{ value: '', label: t('words.no_carrier') }, ...choices] : choices}
          onChange={setCarrier}
          error={problems.carrier_reference}
        />
        {parcel.trackingNumber !== null && (
          <TextField
            label={t('shipments.number')}
            value={number}
            onChange={setNumber}
            error={problems.tracking_number}
            help={t(isRenumbered ? 'orders.renumber_help' : 'orders.correct_help')}
          />
        )}
        <div className="row end">
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button type="submit" variant="primary" isBusy={correct.isPending} disabled={!isChanged}>
            {t('orders.correct')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** The actions of one parcel, and the dialogs they open. */
export function ParcelActions({ parcel }: { parcel: Parcel }) {
  const [open, setOpen] = useState<'event' | 'carrier' | 'page' | undefined>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu label={t('orders.actions')}>
        <MenuItem icon="plus" onSelect={() => setOpen('event')}>
          {t('orders.add_event')}
        </MenuItem>
        <MenuItem icon="truck" onSelect={() => setOpen('carrier')}>
          {t('orders.correct_carrier')}
        </MenuItem>
        <MenuItem icon="close" onSelect={() => setOpen('page')}>
          {t('orders.revoke_page')}
        </MenuItem>
      </Menu>
      {open === 'event' && <AddEvent parcel={parcel} onClose={close} />}
      {open === 'carrier' && <CorrectCarrier parcel={parcel} onClose={close} />}
      {open === 'page' && <RevokePage orderId={parcel.orderId} onClose={close} />}
    </>
  )
}

/** Makes the addresses of an order's tracking page invalid: for a link that reached the wrong person. */
function RevokePage({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const revoke = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/orders/{order_id}/revoke-page', { params: { path: { slug, order_id: orderId } } }),
    async onSuccess() {
      await refresh(queryClient, 'page address')
      toasts.done(t('orders.page_revoked'))
      onClose()
    },
    onError: toasts.failed,
  })
  return (
    <Confirm
      title={t('orders.revoke_page_title')}
      action={t('orders.revoke_page')}
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{t('orders.revoke_page_text')}</p>
    </Confirm>
  )
}
