import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { Banner } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'
import type { ShopSystem } from './data.ts'
import type { ConnectSearch } from './search.ts'
import { isReachable, storeWords } from './store-words.ts'
import { Waiting } from './waiting.tsx'
import { WooCommerceKey } from './woocommerce-key.tsx'

/** The address, and then the store's own page on which the merchant approves. The result is read from the API. */
export function WooCommerceApproval({ system }: { system: ShopSystem }) {
  const { authorization } = system
  // WooCommerce adds this to the address that it sends the browser back to.
  const { success } = useSearch({ strict: false }) as ConnectSearch // the route of this page reads it
  const isDeclined = success === '0' && authorization?.state === 'waiting'
  return (
    <>
      <p>{t('connect.woocommerce.approve_text')}</p>
      <ApprovalForm system={system} />
      <div className="stack" aria-live="polite">
        {isDeclined ? (
          <Banner tone="neutral" title={t('connect.woocommerce.declined')}>
            <p>{t('connect.woocommerce.declined_text')}</p>
          </Banner>
        ) : authorization?.state === 'failed' ? (
          <Banner tone="wrong" title={t('connect.woocommerce.approve_failed')}>
            <p>{authorization.problem}</p>
          </Banner>
        ) : authorization?.state === 'waiting' || isReachable(system) ? (
          <Waiting arrived={isReachable(system) ? storeWords(system) : undefined}>
            <p className="strong">{t('connect.woocommerce.waiting_key')}</p>
            <p className="soft">{t('connect.woocommerce.waiting_key_text')}</p>
          </Waiting>
        ) : null}
      </div>
      <details>
        <summary>{t('connect.woocommerce.by_hand_key')}</summary>
        <WooCommerceKey system={system} />
      </details>
    </>
  )
}

function ApprovalForm({ system }: { system: ShopSystem }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const shop = useQuery(read('/v1/shops/{slug}/profile', { params: { path: { slug } } }))
  const [typed, setTyped] = useState<string>()
  const address = typed ?? system.store?.url ?? system.authorization?.store_url ?? shop.data?.shop_url ?? ''
  const authorize = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/connections/woocommerce/authorize', {
        params: { path: { slug } },
        body: { store_url: address.trim() },
      }),
    async onSuccess({ url }) {
      await refresh(queryClient, '/v1/shops/{slug}/connections')
      window.location.assign(url)
    },
  })
  const problems = problemsByField(authorize.error)
  return (
    <Form
      className="stack"
      problems={problems}
      labels={{ store_url: t('connect.woocommerce.store_url') }}
      onSubmit={() => authorize.mutate()}
    >
      <TextField
        label={t('connect.woocommerce.store_url')}
        help={t('connect.woocommerce.store_url_help')}
        placeholder="shop.example"
        autoComplete="off"
        inputMode="url"
        required
        value={address}
        error={problems.store_url}
        onChange={setTyped}
      />
      <div>
        <Button type="submit" variant={system.has_credentials ? 'secondary' : 'primary'} isBusy={authorize.isPending}>
          {t(system.has_credentials ? 'connect.woocommerce.approve_again' : 'connect.woocommerce.approve')}
        </Button>
      </div>
    </Form>
  )
}
