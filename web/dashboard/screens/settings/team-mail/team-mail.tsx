import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, read, refresh } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { Check, ChoiceField, SelectField } from '../../../kit/field.tsx'
import { Card, Page } from '../../../kit/page.tsx'
import { Banner, Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { digestChoices, languageChoices, languageOf, type MessageLanguage } from './choices.ts'
import { Recipients } from './recipients.tsx'

/** Messages to the team: those that the signed-in person gets, and for admins the other receivers. */
export function TeamMail() {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const query = useQuery(read('/v1/shops/{slug}/team-mail', { params: { path: { slug } } }))
  return (
    <Page title={t('team_mail.title')} lead={t('team_mail.lead')}>
      {query.isPending && <SkeletonLines count={6} />}
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <div className="stack loose">
          {!query.data.can_send && (
            <Banner tone="late" title={t('team_mail.cannot_send')}>
              {t('team_mail.cannot_send_text')}
            </Banner>
          )}
          <Subscription key={slug} stored={query.data} />
        </div>
      )}
      {mayChange && <Recipients />}
    </Page>
  )
}

type Choice = Schemas['TeamMailSubscription']

/** The team mail that the signed-in person gets. Each change takes effect at once. */
function Subscription({ stored }: { stored: Choice }) {
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
  // The new choice is shown while it is being saved.
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
