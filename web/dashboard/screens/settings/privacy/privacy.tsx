import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refresh } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Form, problemsByField } from '../../../kit/form.tsx'
import { Card, Page } from '../../../kit/page.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'
import type { Erased } from './customer.ts'
import { Found } from './found.tsx'
import { Receipt } from './receipt.tsx'

/** What the shop stores about one customer: to hand out, or to erase. */
export function Privacy() {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const [receipt, setReceipt] = useState<{ email: string; erased: Erased } | undefined>()
  const look = useMutation({
    mutationFn: async (wanted: string) => ({
      email: wanted,
      counted: await api.post('/v1/shops/{slug}/privacy/erase/preview', {
        params: { path: { slug } },
        body: { email: wanted },
      }),
    }),
    onMutate: () => setReceipt(undefined),
  })
  const onErased = async (erased: Erased) => {
    setReceipt({ email: look.data?.email ?? '', erased })
    look.reset()
    await refresh(queryClient, '/v1/shops/{slug}')
  }
  return (
    <Page title={t('privacy.title')} lead={t('privacy.lead')}>
      <Card title={t('privacy.find')}>
        <Form
          problems={problemsByField(look.error)}
          labels={{ email: t('privacy.email') }}
          onSubmit={() => {
            if (email.trim() !== '') look.mutate(email.trim())
          }}
        >
          <div className="privacy-search">
            <TextField
              label={t('privacy.email')}
              help={t('privacy.email_help')}
              type="email"
              autoComplete="off"
              required
              data-search
              value={email}
              onChange={setEmail}
            />
            <Button type="submit" variant="primary" icon="search" isBusy={look.isPending}>
              {t('privacy.look')}
            </Button>
          </div>
        </Form>
      </Card>
      {look.isPending && <SkeletonLines count={5} />}
      {look.data && <Found email={look.data.email} counted={look.data.counted} onErased={onErased} />}
      {receipt && <Receipt email={receipt.email} erased={receipt.erased} />}
    </Page>
  )
}
