import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, refresh } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Check, TextArea, TextField } from '../../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { Card, Facts } from '../../../kit/page.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { type Settings, settingsPath } from './words.ts'

/** Quiet hours, promotion, counting, footer and bounces. */
export function Behaviour({ stored }: { stored: Settings }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const beginning = useMemo(() => draftOf(stored), [stored])
  const draft = useDraft(beginning)
  const { value, set } = draft
  const save = useMutation({
    mutationFn: () => api.patch(settingsPath, { params: { path: { slug } }, body: bodyOf(value) }),
    onSuccess: async () => {
      await refresh(queryClient, settingsPath)
      draft.reset()
      toasts.done(t('mail.behaviour_saved'))
    },
  })
  const problems = problemsByField(save.error)
  const labels = {
    'quiet_hours.from': t('mail.quiet_from'),
    'quiet_hours.to': t('mail.quiet_to'),
    footer: t('mail.footer_all'),
    bounce_domain: t('mail.bounce_domain'),
  }
  return (
    <Form problems={problems} labels={labels} onSubmit={() => save.mutate()}>
      <Card title={t('mail.behaviour')}>
        <Check
          label={t('mail.quiet_enabled')}
          help={t('mail.quiet_help')}
          isChecked={value.isQuiet}
          onChange={(isQuiet) => set({ isQuiet })}
        />
        {value.isQuiet && (
          <div className="row mail-hours">
            <TextField
              label={t('mail.quiet_from')}
              type="time"
              value={value.from}
              error={problems['quiet_hours.from']}
              onChange={(from) => set({ from })}
            />
            <TextField
              label={t('mail.quiet_to')}
              type="time"
              value={value.to}
              error={problems['quiet_hours.to']}
              onChange={(to) => set({ to })}
            />
          </div>
        )}
        <Check
          label={t('mail.promotion')}
          help={t('mail.promotion_help')}
          isChecked={value.promotion}
          onChange={(promotion) => set({ promotion })}
        />
        <Check
          label={t('mail.clicks')}
          help={t('mail.clicks_help')}
          isChecked={value.clicks}
          onChange={(clicks) => set({ clicks })}
        />
        <TextArea
          label={t('mail.footer_all')}
          help={t('mail.footer_all_help')}
          maxLength={2_000}
          value={value.footer}
          error={problems.footer}
          onChange={(footer) => set({ footer })}
        />
        <TextField
          label={t('mail.bounce_domain')}
          help={t('mail.bounce_domain_help')}
          placeholder="bounces.shop.example"
          value={value.bounceDomain}
          error={problems.bounce_domain}
          onChange={(bounceDomain) => set({ bounceDomain })}
        />
      </Card>
      <SaveBar draft={draft} isBusy={save.isPending} />
    </Form>
  )
}

interface BehaviourDraft {
  isQuiet: boolean
  from: string
  to: string
  promotion: boolean
  clicks: boolean
  footer: string
  bounceDomain: string
}

function draftOf({ quiet_hours, promotion, click_counting, footer, bounce_domain }: Settings): BehaviourDraft {
  return {
    isQuiet: quiet_hours.enabled,
    from: quiet_hours.from,
    to: quiet_hours.to,
    promotion,
    clicks: click_counting,
    footer: footer ?? '',
    bounceDomain: bounce_domain ?? '',
  }
}

function bodyOf({ isQuiet, from, to, promotion, clicks, footer, bounceDomain }: BehaviourDraft) {
  return {
    quiet_hours: { enabled: isQuiet, from, to },
    promotion,
    click_counting: clicks,
    footer: footer.trim() === '' ? null : footer,
    bounce_domain: bounceDomain.trim() === '' ? null : bounceDomain.trim().toLowerCase(),
  }
}

/** The same for people who may not change it. */
export function BehaviourFacts({ settings }: { settings: Settings }) {
  const { quiet_hours, promotion, click_counting, footer, bounce_domain } = settings
  const words = (isOn: boolean) => t(isOn ? 'mail.on' : 'mail.off')
  return (
    <Card title={t('mail.behaviour')}>
      <Facts
        facts={[
          [
            t('mail.quiet'),
            quiet_hours.enabled ? t('mail.quiet_facts', { from: quiet_hours.from, to: quiet_hours.to }) : t('mail.off'),
          ],
          [t('mail.promotion'), words(promotion)],
          [t('mail.clicks'), words(click_counting)],
          [t('mail.footer_all'), footer],
          [t('mail.bounce_domain'), bounce_domain],
        ]}
      />
      <p className="soft small">{t('mail.admins_only')}</p>
    </Card>
  )
}
