import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { fromLocalTime, timeZoneName, toLocalTime } from '../../kit/local-time.ts'
import { Banner, wordsOf } from '../../kit/problem.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

const dayMs = 86_400_000

/** Sends the messages of a period again, delivered or not. A long period takes several requests. */
export function ReplayDeliveries({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [from, setFrom] = useState(() => toLocalTime(new Date(Date.now() - dayMs).toISOString()))
  const [to, setTo] = useState(() => toLocalTime(new Date().toISOString()))
  const [done, setDone] = useState(0)
  const period = periodOf(from, to)
  const replay = useMutation({
    async mutationFn(period: { from: string; to: string }) {
      let count = 0
      for (let next: string | null = period.from; next !== null; ) {
        const reply: { replayed: number; next_from: string | null } = await api.post(
          '/v1/shops/{slug}/webhooks/{uuid}/replay',
          { params: { path: { slug, uuid } }, body: { from: next, to: period.to } },
        )
        count += reply.replayed
        next = reply.next_from
        setDone(count)
      }
      return count
    },
    onSuccess(count) {
      toasts.done(count === 0 ? t('messages.replayed_none') : t('messages.recovered', { count }))
      onClose()
    },
    onSettled: () => refresh(queryClient, '/v1/shops/{slug}/webhooks', '/v1/shops/{slug}/deliveries'),
  })
  return (
    <Dialog
      title={t('messages.replay')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button
            variant="primary"
            disabled={period === undefined}
            isBusy={replay.isPending}
            onClick={() => period && replay.mutate(period)}
          >
            {t('messages.recover_action')}
          </Button>
        </>
      }
    >
      {replay.isError && <Banner tone="wrong" title={wordsOf(replay.error)} />}
      <p>{t('messages.replay_text')}</p>
      <div className="pair">
        <TextField label={t('messages.replay_from')} type="datetime-local" value={from} onChange={setFrom} />
        <TextField
          label={t('messages.replay_to')}
          type="datetime-local"
          value={to}
          onChange={setTo}
          help={t('messages.replay_zone', { zone: timeZoneName() })}
          error={isBackwards(from, to) ? t('messages.replay_backwards') : undefined}
        />
      </div>
      {replay.isPending && done > 0 && <p role="status">{t('messages.recovered', { count: done })}</p>}
    </Dialog>
  )
}

function isBackwards(from: string, to: string): boolean {
  return from !== '' && to !== '' && from > to
}

/** The last minute is part of it. Undefined while the fields have no period. */
function periodOf(from: string, to: string): { from: string; to: string } | undefined {
  const [begin, end] = [fromLocalTime(from), fromLocalTime(to)]
  if (begin === undefined || end === undefined || isBackwards(from, to)) return undefined
  return { from: begin, to: new Date(new Date(end).getTime() + 59_999).toISOString() }
}
