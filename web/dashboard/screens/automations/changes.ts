import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, refresh } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import type { StoredAutomation } from './draft.ts'

const path = '/v1/shops/{slug}/automations/{automation_id}'

/** Whether the reader may change this one: with a webhook, only admins may. */
export function useMayChange({ actions }: Pick<StoredAutomation, 'actions'>): boolean {
  const [isEditor, isAdmin] = [useMay('editor'), useMay('admin')]
  return actions.some(({ type }) => type === 'webhook') ? isAdmin : isEditor
}

/** Switches an automation on or off at once, with a way back. */
export function useSwitch(automation: StoredAutomation) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const flip = useMutation({
    mutationFn: (enabled: boolean) => {
      const { uuid, name, trigger, actions } = automation
      return api.put(path, {
        params: { path: { slug, automation_id: uuid } },
        body: { name, trigger, actions, enabled },
      })
    },
    async onSuccess(_reply, enabled) {
      const { name } = automation
      toasts.done(t(enabled ? 'automations.switched_on' : 'automations.switched_off', { name }), () =>
        flip.mutate(!enabled),
      )
      await refresh(queryClient, '/v1/shops/{slug}/automations')
    },
    onError: toasts.failed,
  })
  return flip
}

export function useDelete({ uuid, name }: StoredAutomation) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  return useMutation({
    mutationFn: () => api.delete(path, { params: { path: { slug, automation_id: uuid } } }),
    async onSuccess() {
      await navigate({ to: '/$slug/marketing/automations', params: { slug }, ignoreBlocker: true })
      queryClient.removeQueries({ predicate: ({ queryKey: [read] }) => read === path })
      await refresh(queryClient, '/v1/shops/{slug}/automations')
      toasts.done(t('automations.deleted', { name }))
    },
    onError: toasts.failed,
  })
}
