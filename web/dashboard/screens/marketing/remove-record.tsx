import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { refresh } from '../../app/api.ts'
import { Confirm } from '../../kit/dialog.tsx'
import { Banner, wordsOf } from '../../kit/problem.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

interface RemoveRecordProps {
  title: string
  /** The consequences. */
  children: ReactNode
  /** The notice afterwards. */
  done: string
  remove: () => Promise<unknown>
  /** Goes to the list, if the page shows the record. */
  leave: () => Promise<unknown>
  /** The operation's path: data from this path and below is loaded again. */
  path: string
  onClose: () => void
}

/** Asks, and deletes. If the deletion fails, the dialog says why. */
export function RemoveRecord({ title, children, done, remove, leave, path, onClose }: RemoveRecordProps) {
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const removal = useMutation({
    mutationFn: remove,
    async onSuccess() {
      await leave()
      toasts.done(done)
      await refresh(queryClient, path)
      onClose()
    },
  })
  return (
    <Confirm
      title={title}
      action={t('offers.delete')}
      isBusy={removal.isPending}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      {removal.isError && <Banner tone="wrong" title={wordsOf(removal.error)} />}
      {children}
    </Confirm>
  )
}
