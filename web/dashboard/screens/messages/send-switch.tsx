import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, refresh } from '../../app/api.ts'
import type { IntegrationName } from '../../app/integration-words.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Check } from '../../kit/field.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

interface SendSwitchProps {
  name: IntegrationName
  overview: Pick<Schemas['IntegrationOverview'], 'is_on' | 'has_credentials'>
}

/** Whether messages are sent at all: takes effect at once, and can be undone. */
export function SendSwitch({ name, overview: { is_on, has_credentials } }: SendSwitchProps) {
  const slug = useSlug()
  const isAdmin = useMay('admin')
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const change = async (isOn: boolean) => {
    await api.patch('/v1/shops/{slug}/settings/triggers', { params: { path: { slug } }, body: { [name]: isOn } })
    await refresh(queryClient, '/v1/shops/{slug}/integrations', '/v1/shops/{slug}/settings')
  }
  const flip = useMutation({
    mutationFn: change,
    onSuccess: (_reply, isOn) =>
      toasts.done(t(isOn ? 'messages.switched_on' : 'messages.switched_off'), () => void change(!isOn)),
    onError: toasts.failed,
  })
  return (
    <Check
      kind="switch"
      label={t('messages.send_messages')}
      help={!is_on && !has_credentials ? t('messages.needs_credentials') : t('messages.send_messages_help')}
      isChecked={flip.isPending ? flip.variables : is_on}
      isDisabled={!isAdmin}
      onChange={(isOn) => flip.mutate(isOn)}
    />
  )
}
