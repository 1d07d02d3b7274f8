import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

type Settings = Schemas['ExceptionSettings']

const path = '/v1/shops/{slug}/settings/exceptions'
const names = [
  'stuck_days_order_processed',
  'stuck_days_in_transit',
  'stuck_days_in_delivery',
  'stuck_days_return_transit',
  'pickup_days',
] as const

/** The number of days after which a parcel is in this list, changed beside the list. */
export function Thresholds() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="settings" onClick={() => setOpen(true)}>
        {t('exceptions.thresholds')}
      </Button>
      {isOpen && <ThresholdsDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function ThresholdsDialog({ onClose }: { onClose: () => void }) {
  const slug = useSlug()
  const stored = useQuery(read(path, { params: { path: { slug } } }))
  return (
    <Dialog title={t('exceptions.thresholds_title')} onClose={onClose}>
      {stored.isPending && <SkeletonLines count={5} />}
      {stored.isError && <Problem error={stored.error} retry={() => void stored.refetch()} />}
      {stored.data && <ThresholdsForm stored={stored.data} onClose={onClose} />}
    </Dialog>
  )
}

function ThresholdsForm({ stored, onClose }: { stored: Settings; onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [typed, setTyped] = useState<Partial<Record<(typeof names)[number], string>>>({})
  const save = useMutation({
    mutationFn: () =>
      api.patch(path, {
        params: { path: { slug } },
        body: Object.fromEntries(Object.entries(typed).map(([name, days]) => [name, Number(days)])),
      }),
    async onSuccess() {
      await refresh(queryClient, path)
      toasts.done(t('exceptions.thresholds_saved'))
      onClose()
    },
  })
  const problems = problemsByField(save.error)
  return (
    <Form
      className="stack"
      problems={problems}
      labels={Object.fromEntries(names.map((name) => [name, t(`exceptions.${name}`)]))}
      onSubmit={() => save.mutate()}
    >
      <p className="soft">{t('exceptions.thresholds_text')}</p>
      {names.map((name) => (
        <TextField
          key={name}
          label={t(`exceptions.${name}`)}
          type="number"
          min={1}
          max={60}
          step={1}
          required
          className="short-input"
          value={typed[name] ?? String(stored[name])}
          error={problems[name]}
          onChange={(days) => setTyped((before) => ({ ...before, [name]: days }))}
        />
      ))}
      <div className="row">
        <Button type="submit" variant="primary" isBusy={save.isPending}>
          {t('exceptions.thresholds_save')}
        </Button>
        <Button onClick={onClose}>{t('kit.cancel')}</Button>
      </div>
    </Form>
  )
}
