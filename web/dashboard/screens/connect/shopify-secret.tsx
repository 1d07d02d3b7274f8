import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { arrivedWords } from './arrived.tsx'
import type { ShopSystem } from './data.ts'
import { Instructions } from './instructions.tsx'
import { Waiting } from './waiting.tsx'

/** Shopify signs with a secret that nobody can choose. The first message proves that it is the right one. */
export function ShopifySecret({ system, onLater }: { system: ShopSystem; onLater: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [secret, setSecret] = useState('')
  const save = useMutation({
    mutationFn: () =>
      api.put('/v1/shops/{slug}/shopify/webhook-secret', {
        params: { path: { slug } },
        body: { webhook_secret: secret.trim() },
      }),
    async onSuccess() {
      setSecret('')
      toasts.done(t('connect.shopify.secret_saved'))
      await refresh(queryClient, '/v1/shops/{slug}/connections')
    },
  })
  const problems = problemsByField(save.error)
  return (
    <>
      <p>{t('connect.shopify.secret_text')}</p>
      <Instructions name="shopify_secret" />
      <Form
        className="stack"
        problems={problems}
        labels={{ webhook_secret: t('connect.shopify.secret_field') }}
        onSubmit={() => save.mutate()}
      >
        <TextField
          label={t('connect.shopify.secret_field')}
          help={t('credentials.help')}
          type="password"
          autoComplete="off"
          required
          value={secret}
          error={problems.webhook_secret}
          onChange={setSecret}
        />
        <div>
          <Button type="submit" variant="primary" isBusy={save.isPending}>
            {t('connect.shopify.save_secret')}
          </Button>
        </div>
      </Form>
      <Waiting arrived={arrivedWords(system)}>
        <p className="strong">{t('connect.waiting_message', { system: 'Shopify' })}</p>
        <p className="soft">{t('connect.shopify.first_message')}</p>
      </Waiting>
      {system.last_received_at === null && (
        <div className="row end">
          <Button onClick={onLater}>{t('connect.go_on')}</Button>
        </div>
      )}
    </>
  )
}
