import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read, refresh } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { ButtonLink } from '../../../kit/button.tsx'
import { Check } from '../../../kit/field.tsx'
import { Card, Facts } from '../../../kit/page.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { type Settings, settingsPath } from './words.ts'

/** Whether messages are sent, through which server and from whom. */
export function Sending({ settings: { is_on, source } }: { settings: Settings }) {
  const slug = useSlug()
  const isAdmin = useMay('admin')
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const keys = useQuery({ ...read('/v1/shops/{slug}/keys', { params: { path: { slug } } }), enabled: isAdmin })
  const account = keys.data?.smtp
  const change = async (smtp: boolean) => {
    await api.patch('/v1/shops/{slug}/settings/triggers', { params: { path: { slug } }, body: { smtp } })
    await refresh(queryClient, settingsPath, '/v1/shops/{slug}/settings/triggers')
  }
  const flip = useMutation({
    mutationFn: change,
    onSuccess: (_reply, isOn) =>
      toasts.done(t(isOn ? 'mail.switched_on' : 'mail.switched_off'), () => void change(!isOn).catch(toasts.failed)),
    onError: toasts.failed,
  })
  return (
    <Card title={t('mail.sending')}>
      <Check
        kind="switch"
        label={t('mail.send')}
        help={t(source === null ? 'mail.needs_account' : 'mail.send_help')}
        isChecked={flip.isPending ? flip.variables : is_on}
        isDisabled={!isAdmin || (source === null && !is_on)}
        onChange={(isOn) => flip.mutate(isOn)}
      />
      <Facts
        facts={[
          [t('mail.account'), accountWords(source, account?.host)],
          [t('mail.sender'), account && `${account.from_name} <${account.from_address}>`],
          [t('mail.reply_to'), account?.reply_to],
        ]}
      />
      {isAdmin ? (
        <div>
          <ButtonLink
            icon="globe"
            variant={source === null ? 'primary' : 'secondary'}
            to="/$slug/connect/smtp"
            params={{ slug }}
          >
            {t(source === 'shop' ? 'mail.connect_change' : 'mail.connect')}
          </ButtonLink>
        </div>
      ) : (
        <p className="soft small">{t('mail.admins_only')}</p>
      )}
    </Card>
  )
}

function accountWords(source: Settings['source'], host: string | undefined): string {
  if (source === null) return t('mail.account_none')
  if (source === 'installation') return t('mail.account_installation')
  return host === undefined ? t('mail.account_own') : t('mail.account_shop', { host })
}
