import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, read, refresh } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Check, SelectField, TextField } from '../../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { Card } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { digestChoices, languageChoices, languageOf, type MessageLanguage } from './choices.ts'

type Settings = Schemas['TeamMailSettings']
type Address = Settings['addresses'][number]

const maxAddresses = 20

/** For admins: addresses that need no account, and when the morning begins. */
export function Recipients() {
  const slug = useSlug()
  const query = useQuery(read('/v1/shops/{slug}/settings/team-mail', { params: { path: { slug } } }))
  if (query.isPending) return <SkeletonLines count={4} />
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />
  return <RecipientsForm key={slug} stored={query.data} />
}

function RecipientsForm({ stored }: { stored: Settings }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const draft = useDraft({ addresses: stored.addresses, time_zone: stored.time_zone })
  const { value, set } = draft
  // Lines that were added and not used are left out.
  const addresses = value.addresses.filter(({ email }) => email.trim() !== '')
  const save = useMutation({
    mutationFn: () =>
      api.patch('/v1/shops/{slug}/settings/team-mail', {
        params: { path: { slug } },
        body: {
          time_zone: value.time_zone,
          addresses: addresses.map((each) => ({ ...each, email: each.email.trim() })),
        },
      }),
    async onSuccess() {
      await refresh(queryClient, '/v1/shops/{slug}/settings/team-mail')
      draft.reset()
      toasts.done(t('kit.saved'))
    },
  })
  const problems = problemsByField(save.error)
  const change = (index: number, changed: Partial<Address>) =>
    set({ addresses: value.addresses.map((each, at) => (at === index ? { ...each, ...changed } : each)) })
  return (
    <Form problems={problems} labels={labelsOf(value.addresses)} onSubmit={() => save.mutate()}>
      <Card title={t('team_mail.others')}>
        <div className="stack loose">
          <p className="soft">{t('team_mail.others_lead')}</p>
          {value.addresses.length > 0 && (
            <ol className="team-addresses stack">
              {value.addresses.map((address, index) => (
                // A line has nothing of its own while it is being typed.
                <li key={index} className="team-address">
                  <TextField
                    label={t('team_mail.address')}
                    type="email"
                    autoComplete="off"
                    autoCapitalize="none"
                    value={address.email}
                    error={problems[`addresses.${index}.email`] && t('team_mail.address_wrong')}
                    onChange={(email) => change(index, { email })}
                  />
                  <SelectField
                    label={t('team_mail.digest')}
                    value={address.digest}
                    choices={digestChoices()}
                    onChange={(digest) => change(index, { digest })}
                  />
                  <SelectField<MessageLanguage>
                    label={t('team_mail.language')}
                    value={address.language ?? ''}
                    choices={languageChoices()}
                    onChange={(language) => change(index, { language: languageOf(language) })}
                  />
                  <div className="row apart">
                    <Check
                      label={t('team_mail.alerts')}
                      isChecked={address.alerts}
                      onChange={(alerts) => change(index, { alerts })}
                    />
                    <Button
                      variant="quiet"
                      icon="trash"
                      isIconOnly
                      onClick={() => set({ addresses: value.addresses.filter((_, at) => at !== index) })}
                    >
                      {t('team_mail.remove', { email: address.email || String(index + 1) })}
                    </Button>
                  </div>
                </li>
              ))}
            </ol>
          )}
          <div className="row">
            <Button
              icon="plus"
              disabled={value.addresses.length >= maxAddresses}
              onClick={() => set({ addresses: [...value.addresses, newAddress] })}
            >
              {t('team_mail.add')}
            </Button>
          </div>
        </div>
      </Card>
      <Card title={t('team_mail.time')}>
        <SelectField
          label={t('team_mail.time_zone')}
          help={t('team_mail.time_zone_help')}
          value={value.time_zone ?? ''}
          choices={zoneChoices(stored)}
          error={problems.time_zone}
          onChange={(zone) => set({ time_zone: zone === '' ? null : zone })}
        />
      </Card>
      <SaveBar draft={draft} isBusy={save.isPending} />
    </Form>
  )
}

const newAddress: Address = { email: '', digest: 'weekly', alerts: true, language: null }

function labelsOf(addresses: readonly Address[]): Record<string, string> {
  return Object.fromEntries(
    addresses.map((_, index) => [`addresses.${index}.email`, t('team_mail.address_line', { line: index + 1 })]),
  )
}

/** The zones that the browser knows; without a choice, the zone follows from the shop's language. */
function zoneChoices({ time_zone, effective_time_zone }: Settings) {
  const known = Intl.supportedValuesOf('timeZone')
  const zones = time_zone === null || known.includes(time_zone) ? known : [time_zone, ...known]
  const automatic =
    time_zone === null
      ? t('team_mail.time_zone_now', { zone: effective_time_zone })
      : t('team_mail.time_zone_automatic')
  return [{ value: '', label: automatic }, ...zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))]
}
