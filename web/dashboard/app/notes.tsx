import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { TextArea } from '../kit/field.tsx'
import { Card } from '../kit/page.tsx'
import { Problem } from '../kit/problem.tsx'
import { SkeletonLines } from '../kit/states.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { useToasts } from '../kit/toast.tsx'
import { t } from '../texts/texts.ts'
import { api, readList, refresh } from './api.ts'
import { useMay, useSession, useSlug } from './session.ts'

type Note = Schemas['Note']

const notesPath = '/v1/shops/{slug}/notes'
const perPage = 20

interface NotesProps {
  orderId: string
  /** On the page of a parcel: only notes about it are shown, and new ones are about it. */
  shipmentId?: string
}

/** The notes of colleagues on an order or one of its parcels, and a form to add one. */
export function Notes({ orderId, shipmentId }: NotesProps) {
  const slug = useSlug()
  const mayWrite = useMay('editor')
  const [pages, setPages] = useState(1)
  const subject = shipmentId === undefined ? { order_id: orderId } : { shipment_id: shipmentId }
  const notes = useQuery({
    ...readList(notesPath, {
      params: { path: { slug }, query: { ...subject, per_page: Math.min(100, perPage * pages) } },
    }),
    placeholderData: (before) => before,
  })
  const rows = notes.data?.rows ?? []
  return (
    <Card title={t('notes.title')}>
      {mayWrite && <NewNote orderId={orderId} shipmentId={shipmentId} />}
      {notes.isPending ? (
        <SkeletonLines />
      ) : notes.isError ? (
        <Problem error={notes.error} retry={() => void notes.refetch()} />
      ) : rows.length === 0 ? (
        <p className="soft">{t('notes.empty')}</p>
      ) : (
        <ol className="notes stack">
          {rows.map((note) => (
            <NoteItem key={note.uuid} note={note} isOnOrder={shipmentId === undefined} />
          ))}
        </ol>
      )}
      {notes.data?.hasNext && pages < 5 && (
        <Button isSmall variant="quiet" onClick={() => setPages(pages + 1)}>
          {t('notes.more')}
        </Button>
      )}
    </Card>
  )
}

/** The text stays in the field until it is stored. */
function NewNote({ orderId, shipmentId }: NotesProps) {
  const [text, setText] = useState('')
  const toasts = useToasts()
  const add = useAddNote()
  const isEmpty = text.trim() === ''
  const send = () => {
    if (isEmpty || add.isPending) return
    add.mutate(
      { order_id: orderId, shipment_id: shipmentId ?? null, text: text.trim() },
      { onSuccess: () => setText(''), onError: toasts.failed },
    )
  }
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextArea
        label={t('notes.write')}
        isLabelHidden
        placeholder={t('notes.write')}
        rows={2}
        maxLength={5_000}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
        }}
      />
      {!isEmpty && (
        <div className="row end">
          <Button type="submit" isSmall variant="primary" isBusy={add.isPending}>
            {t('notes.add')}
          </Button>
        </div>
      )}
    </form>
  )
}

function NoteItem({ note, isOnOrder }: { note: Note; isOnOrder: boolean }) {
  const slug = useSlug()
  const { name } = useSession()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const add = useAddNote()
  const [isAsked, setAsked] = useState(false)
  const isOwn = note.author === name
  const remove = useMutation({
    mutationFn: () => api.delete(`${notesPath}/{uuid}`, { params: { path: { slug, uuid: note.uuid } } }),
    onSuccess: async () => {
      setAsked(false)
      const { order_id, shipment_id, text } = note
      toasts.done(t('notes.deleted'), isOwn ? () => add.mutate({ order_id, shipment_id, text }) : undefined)
      await refresh(queryClient, notesPath)
    },
    onError: toasts.failed,
  })
  return (
    <li className="note stack tight">
      <p className="note-text">{note.text}</p>
      <div className="row tight apart small soft">
        <span>
          {note.author} · <RelativeTime at={note.created_at} />
          {isOnOrder && note.shipment_id !== null && ` · ${t('notes.about_parcel')}`}
        </span>
        {note.may_delete && (
          // One's own can be undone; nobody can write another's again.
          <Button
            variant="quiet"
            isSmall
            isIconOnly
            icon="trash"
            isBusy={remove.isPending}
            onClick={() => (isOwn ? remove.mutate() : setAsked(true))}
          >
            {t('notes.delete')}
          </Button>
        )}
      </div>
      {isAsked && (
        <Confirm
          title={t('notes.delete')}
          action={t('notes.delete')}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsked(false)}
        >
          <p>{t('notes.delete_text', { name: note.author })}</p>
        </Confirm>
      )}
    </li>
  )
}

function useAddNote() {
  const slug = useSlug()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { order_id: string; shipment_id: string | null; text: string }) =>
      api.post(notesPath, { params: { path: { slug } }, body }),
    onSuccess: () => void refresh(queryClient, notesPath),
  })
}
