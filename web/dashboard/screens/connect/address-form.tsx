import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import type { IntegrationName, OwnSetting } from '../../app/integration-words.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

/** The address of the merchant's account. It comes first: stored credentials are bound to it. */
export function AddressForm({ name, setting }: { name: IntegrationName; setting: OwnSetting }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const bundle = useQuery(read('/v1/shops/{slug}/settings/bundle', { params: { path: { slug } } }))
  const [typed, setTyped] = useState<string>()
  // Each of these systems has the one field that its form names.
  const stored = (bundle.data?.triggers.data[name] as Partial<Record<OwnSetting, string | null>> | undefined)?.[setting]
  const value = typed ?? stored ?? ''
  const save = useMutation({
    mutationFn: () =>
      api.patch('/v1/shops/{slug}/settings/triggers/{integration}', {
        params: { path: { slug, integration: name } },
        body: { [setting]: value.trim() || null },
      }),
    async onSuccess() {
      await refresh(queryClient, '/v1/shops/{slug}/settings', '/v1/shops/{slug}/integrations')
      setTyped(undefined)
      toasts.done(t('kit.saved'))
    },
  })
  const problems = problemsByField(save.error)
  if (bundle.isPending) return <SkeletonLines count={1} />
  return (
    <Form
      className="stack"
      problems={problems}
      labels={{ [setting]: t(`messages.setting.${setting}`) }}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label={t(`messages.setting.${setting}`)}
        help={t(`messages.setting_help.${setting}`)}
        value={value}
        error={problems[setting]}
        onChange={setTyped}
      />
      <div>
        <Button type="submit" isBusy={save.isPending} disabled={typed === undefined}>
          {t('kit.save')}
        </Button>
      </div>
    </Form>
  )
}
