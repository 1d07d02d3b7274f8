import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, refresh } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Check, ChoiceField, SelectField } from '../../../kit/field.tsx'
import { Card } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { digestChoices, languageChoices, languageOf, type MessageLanguage } from './choices.ts'

type Choice = Schemas['TeamMailSubscription']

/** What the one who is signed in gets. Each change takes effect at once. */
export function Subscription({ stored }: { stored: Choice }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const change = useMutation({
    mutationFn: (body: Schemas['TeamMailSubscriptionUpdate']) =>
      api.patch('/v1/shops/{slug}/team-mail', { params: { path: { slug } }, body }),
    async onSuccess() {
      await refresh(queryClient, '/v1/shops/{slug}/team-mail')
      toasts.done(t('kit.saved'))
    },
  })
  if (stored.email === null) {
    return (
      <Card title={t('team_mail.to_you')}>
        <p>{t('team_mail.no_person')}</p>
      </Card>
    )
  }
  // What was just chosen is shown while it is being saved.
  const shown: Choice = { ...stored, ...(change.isPending ? change.variables : {}) }
  return (
    <Card title={t('team_mail.to_you')}>
      <div className="stack loose">
        <p className="soft">{t('team_mail.to_address', { email: stored.email })}</p>
        {change.isError && <Problem error={change.error} />}
        <ChoiceField
          label={t('team_mail.digest')}
          value={shown.digest}
          choices={digestChoices().map((choice) => ({ ...choice, help: t(`team_mail.digest_help.${choice.value}`) }))}
          onChange={(digest) => change.mutate({ digest })}
        />
        <Check
          kind="switch"
          label={t('team_mail.alerts')}
          help={t('team_mail.alerts_help')}
          isChecked={shown.alerts}
          onChange={(alerts) => change.mutate({ alerts })}
        />
        <SelectField<MessageLanguage>
          label={t('team_mail.language')}
          value={shown.language ?? ''}
          choices={languageChoices()}
          onChange={(language) => change.mutate({ language: languageOf(language) })}
        />
      </div>
    </Card>
  )
}
