import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { starts, units } from './search.ts'
import { type Target, targetWords } from './times.ts'

/** The shop's target, edited in place. */
export function TargetSetting({ target }: { target: Target | null }) {
  const mayChange = useMay('admin')
  const [isOpen, setOpen] = useState(false)
  if (!mayChange && target === null) return null
  return (
    <section className="card target" aria-label={t('performance.target_setting')}>
      {isOpen ? (
        <TargetForm target={target} onClose={() => setOpen(false)} />
      ) : (
        <div className="row apart">
          <p className="grow">
            {target ? t('performance.target_is', { target: targetWords(target) }) : t('performance.target_none')}
          </p>
          {mayChange && (
            <Button isSmall onClick={() => setOpen(true)}>
              {target ? t('performance.target_change') : t('performance.target_set')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

const usualTarget: Target = { days: 3, unit: 'business', since: 'placed' }

function TargetForm({ target, onClose }: { target: Target | null; onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [{ unit, since }, setMeasure] = useState(target ?? usualTarget)
  const [days, setDays] = useState(String((target ?? usualTarget).days))
  const save = useMutation({
    mutationFn: (days: number | null) =>
      api.patch('/v1/shops/{slug}/settings/delivery-target', {
        params: { path: { slug } },
        body: { days, unit, since },
      }),
    onSuccess: async (saved) => {
      await refresh(queryClient, '/v1/shops/{slug}/analytics/delivery-times')
      toasts.done(t(saved.days === null ? 'performance.target_removed' : 'performance.target_saved'))
      onClose()
    },
  })
  const problems = problemsByField(save.error)
  return (
    <Form
      problems={problems}
      labels={{ days: t('performance.target_days') }}
      onSubmit={() => save.mutate(Number(days))}
    >
      <div className="target-fields">
        <TextField
          label={t('performance.target_days')}
          type="number"
          min={1}
          max={60}
          step={1}
          required
          autoFocus
          value={days}
          error={problems.days}
          onChange={setDays}
        />
        <SelectField
          label={t('performance.unit')}
          value={unit}
          choices={units.map((value) => ({ value, label: t(`performance.unit_${value}`) }))}
          onChange={(unit) => setMeasure((before) => ({ ...before, unit }))}
        />
        <SelectField
          label={t('performance.since')}
          value={since}
          choices={starts.map((value) => ({ value, label: t(`performance.from_${value}`) }))}
          onChange={(since) => setMeasure((before) => ({ ...before, since }))}
        />
      </div>
      <div className="row">
        <Button type="submit" variant="primary" isBusy={save.isPending}>
          {t('performance.target_save')}
        </Button>
        <Button onClick={onClose}>{t('kit.cancel')}</Button>
        {target && (
          <Button variant="danger" isBusy={save.isPending} onClick={() => save.mutate(null)}>
            {t('performance.target_remove')}
          </Button>
        )}
      </div>
    </Form>
  )
}
