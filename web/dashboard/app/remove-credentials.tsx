import { useMutation, useQueryClient } from '@tanstack/react-query'
import { systems } from 'doorstep-client/systems'
import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { useToasts } from '../kit/toast.tsx'
import { t } from '../texts/texts.ts'
import { api, refresh } from './api.ts'
import { credentialDependents } from './credential-fields.ts'
import { useSlug } from './session.ts'

/** The systems whose credentials can be taken back. */
const removable = Object.entries(systems).flatMap(([name, { isRemovable }]) => (isRemovable ? [name] : []))

interface RemoveCredentialsProps {
  system: string
  /** The texts of the button and the question, if they are not about credentials. */
  words?: { action: string; title: string; text: string }
}

/** Removes stored credentials after a question: nobody can show them again. Nothing if the API offers no removal. */
export function RemoveCredentials({ system, words = usualWords() }: RemoveCredentialsProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [isAsking, setAsking] = useState(false)
  const known = removable.find((name) => name === system)
  const remove = useMutation({
    // Each system has its own operation, and all are alike.
    mutationFn: () =>
      api.delete(`/v1/shops/{slug}/keys/${known}` as '/v1/shops/{slug}/keys/smtp', { params: { path: { slug } } }),
    async onSuccess() {
      await refresh(queryClient, ...credentialDependents)
      setAsking(false)
      toasts.done(t('credentials.removed'))
    },
    onError: toasts.failed,
  })
  if (known === undefined) return null
  return (
    <>
      <Button icon="trash" onClick={() => setAsking(true)}>
        {words.action}
      </Button>
      {isAsking && (
        <Confirm
          title={words.title}
          action={words.action}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{words.text}</p>
        </Confirm>
      )}
    </>
  )
}

function usualWords() {
  return { action: t('credentials.remove'), title: t('credentials.remove_title'), text: t('credentials.remove_text') }
}
