import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read, refresh } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { formatList } from '../../kit/format.ts'
import { Banner } from '../../kit/problem.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { providersPath } from '../carriers/known-providers.ts'

type Status = 'live' | 'testing'

/** How the sandbox is switched, and how to switch it. */
function useSandbox() {
  const slug = useSlug()
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const { data } = useQuery(read(providersPath, { params: { path: { slug } } }))
  const change = useMutation({
    mutationFn: (status: Status) =>
      api.patch(providersPath, { params: { path: { slug } }, body: { sandbox: { status } } }),
    onSuccess: () => refresh(queryClient, providersPath),
    onError: toasts.failed,
  })
  return { status: data?.sandbox.status, change }
}

/** The receivers of the sandbox's messages, which are real, and how to avoid sending them. */
export function WhoIsTold() {
  const slug = useSlug()
  const isAdmin = useMay('admin')
  const { status, change } = useSandbox()
  const { data } = useQuery(read('/v1/shops/{slug}/integrations', { params: { path: { slug } } }))
  if (status === undefined || status === 'disabled') return null
  if (status === 'testing') {
    return (
      <Banner
        title={t('sandbox.silent')}
        action={
          isAdmin && (
            <Button isBusy={change.isPending} onClick={() => change.mutate('live')}>
              {t('sandbox.send')}
            </Button>
          )
        }
      >
        <p>{t('sandbox.silent_text')}</p>
      </Banner>
    )
  }
  const names = (data?.integrations ?? []).filter(({ is_on }) => is_on).map(({ name }) => name)
  return (
    <Banner
      tone="late"
      title={t('sandbox.real')}
      action={
        isAdmin && (
          <Button isBusy={change.isPending} onClick={() => change.mutate('testing')}>
            {t('sandbox.do_not_send')}
          </Button>
        )
      }
    >
      <p>
        {names.length === 0 ? t('sandbox.real_webhooks') : t('sandbox.real_systems', { systems: formatList(names) })}{' '}
        {t('sandbox.avoid')}
      </p>
    </Banner>
  )
}

/** In production the sandbox is off until somebody switches it on. */
export function SandboxOff() {
  const isAdmin = useMay('admin')
  const { status, change } = useSandbox()
  if (status !== 'disabled') return null
  return (
    <Banner
      tone="late"
      title={t('sandbox.off')}
      action={
        isAdmin && (
          <Button isBusy={change.isPending} onClick={() => change.mutate('testing')}>
            {t('sandbox.switch_on')}
          </Button>
        )
      }
    >
      <p>{t(isAdmin ? 'sandbox.off_text' : 'sandbox.off_ask')}</p>
    </Banner>
  )
}
