import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, refresh } from '../app/api.ts'
import { sessionQuery } from '../app/session.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { formatExactTime } from '../kit/format.ts'
import { Banner } from '../kit/problem.tsx'
import { useToasts } from '../kit/toast.tsx'
import { t } from '../texts/texts.ts'

/** On every page, until it is dismissed or the password is changed: somebody has entered it, and then wrong codes. */
export function PasswordWarning() {
  // It is shown until the page changes when somebody has just signed out.
  const { data: session } = useQuery({ ...sessionQuery, enabled: false })
  const warning = session?.password_warning
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const dismiss = useMutation({
    mutationFn: () => api.delete('/v1/session/password-warning'),
    onSuccess: () => refresh(queryClient, '/v1/session'),
    onError: (error) => toasts.failed(error),
  })
  if (!warning) return null
  return (
    <Banner
      tone="wrong"
      title={t('account.warning_title')}
      action={
        <div className="row">
          <Button isBusy={dismiss.isPending} onClick={() => dismiss.mutate()}>
            {t('account.warning_dismiss')}
          </Button>
          <ButtonLink to="/account" variant="primary">
            {t('account.warning_change')}
          </ButtonLink>
        </div>
      }
    >
      {t('account.warning_text', { when: formatExactTime(warning.at), network: warning.network })}
    </Banner>
  )
}
