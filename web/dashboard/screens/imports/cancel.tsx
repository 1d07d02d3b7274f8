import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { type ImportRecord, importsPath } from './use-upload.ts'

/** Ends an import that has not ended yet, for editors. */
export function CancelImport({ found }: { found: ImportRecord }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const mayCancel = useMay('editor')
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/imports/{import_id}/cancel', { params: { path: { slug, import_id: found.id } } }),
    async onSuccess() {
      await refresh(queryClient, importsPath)
      setAsking(false)
    },
    onError: toasts.failed,
  })
  if (!mayCancel) return null
  return (
    <div>
      <Button onClick={() => setAsking(true)}>{t('imports.cancel')}</Button>
      {isAsking && (
        <Confirm
          title={t('imports.cancel_title')}
          action={t('imports.cancel')}
          cancelLabel={t('imports.cancel_not')}
          isBusy={cancel.isPending}
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t(found.dry_run ? 'imports.cancel_check' : 'imports.cancel_text')}</p>
        </Confirm>
      )}
    </div>
  )
}
