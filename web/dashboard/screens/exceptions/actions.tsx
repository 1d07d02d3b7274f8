import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readList } from '../../app/api.ts'
import type { Exception } from '../../app/exception-words.tsx'
import { useSession, useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { formatDay } from '../../kit/format.ts'
import { Menu, MenuItem, MenuLine } from '../../kit/menu.tsx'
import { t } from '../../texts/texts.ts'
import { type Change, useChangeExceptions } from './changes.ts'

interface ActionsProps {
  rows: readonly Exception[]
  /** Called when something was done. */
  onDone?: () => void
}

/** One press resolves; everything else is one press further. */
export function RowActions({ row }: { row: Exception }) {
  const { act, isBusy, dialog, open } = useActions({ rows: [row] })
  const name = t('exceptions.parcel_of', { number: row.order_number })
  return (
    <div className="row tight nowrap exception-actions">
      {row.state === 'resolved' ? (
        <Button isSmall isBusy={isBusy} onClick={() => act.reopen()}>
          {t('exceptions.reopen')}
        </Button>
      ) : (
        <Button isSmall isBusy={isBusy} icon="check" onClick={() => act.resolve()}>
          {t('exceptions.resolve')}
        </Button>
      )}
      <Menu label={t('exceptions.more', { name })} icon="more" isIconOnly variant="quiet">
        <AssignItems rows={[row]} onAssign={act.assign} />
        <MenuLine />
        {row.state === 'snoozed' ? (
          <MenuItem icon="undo" onSelect={act.reopen}>
            {t('exceptions.wake')}
          </MenuItem>
        ) : (
          <SnoozeItems onSnooze={act.snooze} onOther={() => open('snooze')} />
        )}
        <MenuLine />
        <MenuItem icon="note" onSelect={() => open('note')}>
          {t('exceptions.add_note')}
        </MenuItem>
      </Menu>
      {dialog}
    </div>
  )
}

export function BulkActions({ rows, onDone }: ActionsProps) {
  const { act, isBusy, dialog, open } = useActions({ rows, ...(onDone ? { onDone } : {}) })
  return (
    <>
      <Button icon="check" isBusy={isBusy} onClick={() => act.resolve()}>
        {t('exceptions.resolve')}
      </Button>
      <Menu label={t('exceptions.assign')} icon="person">
        <AssignItems rows={rows} onAssign={act.assign} />
      </Menu>
      <Menu label={t('exceptions.snooze')} icon="clock">
        <SnoozeItems onSnooze={act.snooze} onOther={() => open('snooze')} />
      </Menu>
      <Button icon="note" onClick={() => open('note')}>
        {t('exceptions.add_note')}
      </Button>
      {dialog}
    </>
  )
}

function useActions({ rows, onDone }: ActionsProps) {
  const [dialog, open] = useState<'note' | 'snooze' | undefined>()
  const change = useChangeExceptions()
  const send = (given: Change, words: (count: number) => string) => {
    open(undefined)
    change.mutate({ rows, change: given, words }, { onSuccess: onDone })
  }
  const act = {
    resolve: () => send({ resolved: true }, (count) => t('exceptions.done.resolved', { count })),
    reopen: () => send({ resolved: false, snoozed_until: null }, (count) => t('exceptions.done.reopened', { count })),
    snooze: (until: Date) =>
      send({ snoozed_until: until.toISOString() }, (count) =>
        t('exceptions.done.snoozed', { count, day: formatDay(until) }),
      ),
    assign: (name: string | null) =>
      send({ assigned_to: name }, (count) =>
        name === null ? t('exceptions.done.unassigned', { count }) : t('exceptions.done.assigned', { count, name }),
      ),
    note: (note: string) => send({ note }, (count) => t('exceptions.done.noted', { count })),
  }
  const close = () => open(undefined)
  return {
    act,
    isBusy: change.isPending,
    open,
    dialog:
      dialog === 'note' ? (
        <NoteDialog count={rows.length} onSave={act.note} onClose={close} />
      ) : dialog === 'snooze' ? (
        <SnoozeDialog onSave={act.snooze} onClose={close} />
      ) : null,
  }
}

interface AssignProps {
  rows: readonly Exception[]
  onAssign: (name: string | null) => void
}

function AssignItems({ rows, onAssign }: AssignProps) {
  const slug = useSlug()
  const { name: own } = useSession()
  const { data } = useQuery(
    readList('/v1/shops/{slug}/colleagues', { params: { path: { slug }, query: { per_page: 100 } } }),
  )
  const others = [...new Set((data?.rows ?? []).map(({ name }) => name))].filter((name) => name !== own)
  return (
    <>
      <MenuItem icon="person" onSelect={() => onAssign(own)}>
        {t('exceptions.assign_me')}
      </MenuItem>
      {others.map((name) => (
        <MenuItem key={name} icon="person" onSelect={() => onAssign(name)}>
          {t('exceptions.assign_name', { name })}
        </MenuItem>
      ))}
      {rows.some(({ assigned_to }) => assigned_to !== null) && (
        <MenuItem icon="close" onSelect={() => onAssign(null)}>
          {t('exceptions.unassign')}
        </MenuItem>
      )}
    </>
  )
}

/** Parcels come back in the morning. */
const morning = 8

function inDays(days: number): Date {
  const date = new Date()
  date.setDate(date.getDate() + days)
  date.setHours(morning, 0, 0, 0)
  return date
}

function SnoozeItems({ onSnooze, onOther }: { onSnooze: (until: Date) => void; onOther: () => void }) {
  return (
    <>
      <MenuItem icon="clock" onSelect={() => onSnooze(inDays(1))}>
        {t('exceptions.snooze_tomorrow')}
      </MenuItem>
      <MenuItem icon="clock" onSelect={() => onSnooze(inDays(3))}>
        {t('exceptions.snooze_days', { count: 3 })}
      </MenuItem>
      <MenuItem icon="clock" onSelect={() => onSnooze(inDays(7))}>
        {t('exceptions.snooze_days', { count: 7 })}
      </MenuItem>
      <MenuItem icon="clock" onSelect={onOther}>
        {t('exceptions.snooze_other')}
      </MenuItem>
    </>
  )
}

function SnoozeDialog({ onSave, onClose }: { onSave: (until: Date) => void; onClose: () => void }) {
  const [day, setDay] = useState(() => dayOf(inDays(14)))
  const until = new Date(`${day}T08:00`)
  const isGood = until > new Date() && until < inDays(365)
  return (
    <Dialog
      title={t('exceptions.snooze')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button variant="primary" disabled={!isGood} onClick={() => isGood && onSave(until)}>
            {t('exceptions.snooze')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('exceptions.snooze_until')}
        help={t('exceptions.snooze_help')}
        type="date"
        min={dayOf(inDays(1))}
        max={dayOf(inDays(365))}
        value={day}
        onChange={setDay}
      />
    </Dialog>
  )
}

/** As date fields write it, in the reader's own time zone. */
function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

interface NoteDialogProps {
  count: number
  onSave: (note: string) => void
  onClose: () => void
}

function NoteDialog({ count, onSave, onClose }: NoteDialogProps) {
  const [note, setNote] = useState('')
  const isGood = note.trim() !== ''
  return (
    <Dialog
      title={t('exceptions.add_note')}
      onClose={onClose}
      closesLightly={note === ''}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button variant="primary" disabled={!isGood} onClick={() => isGood && onSave(note.trim())}>
            {t('exceptions.add_note')}
          </Button>
        </>
      }
    >
      <TextArea
        label={t('exceptions.note')}
        help={t('exceptions.note_help', { count })}
        maxLength={5_000}
        value={note}
        onChange={setNote}
      />
    </Dialog>
  )
}
