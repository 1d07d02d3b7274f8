import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { t } from '../../texts/texts.ts'
import { LiveCheck } from './check.tsx'
import { type ShopSystem, useCheck } from './data.ts'
import { Instructions, marked } from './instructions.tsx'

/** The scopes for reading orders of any age, parcels and products, and for showing events on the order. */
const scopes = ['read_orders', 'read_all_orders', 'read_fulfillments', 'read_products', 'write_fulfillments']

/** The address of the store and a token of its API. Saving them tries them at once. */
export function ShopifyAccess({ system }: { system: ShopSystem }) {
  const check = useCheck('shopify')
  return (
    <>
      <Instructions name="shopify" />
      <div className="stack tight">
        <p className="strong">{t('connect.shopify.scopes')}</p>
        <CopyField label={t('connect.shopify.scopes')} value={scopes.join(',')} shown={scopes.join(', ')} />
        <p className="help">{marked(t('connect.shopify.scopes_help'))}</p>
      </div>
      <AccessForm system={system} onSaved={() => check.mutate()} />
      {system.has_credentials && <LiveCheck system="shopify" check={check} known={system.problem} />}
    </>
  )
}

function AccessForm({ system, onSaved }: { system: ShopSystem; onSaved: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const shop = useQuery(read('/v1/shops/{slug}/profile', { params: { path: { slug } } }))
  const [typed, setTyped] = useState<string>()
  const [token, setToken] = useState('')
  const address = typed ?? shop.data?.shop_admin_url ?? ''
  const save = useMutation({
    // The token is bound to the address that the shop has when it is stored.
    async mutationFn() {
      const params = { path: { slug } }
      await api.patch('/v1/shops/{slug}', {
        params,
        body: { shop_admin_url: withScheme(address), shop_provider: 'shopify' },
      })
      await api.put('/v1/shops/{slug}/keys/shopify', { params, body: { api_key: token.trim() } })
    },
    async onSuccess() {
      setToken('')
      await refresh(queryClient, '/v1/shops/{slug}')
      onSaved()
    },
  })
  const problems = problemsByField(save.error)
  return (
    <Form
      className="stack"
      problems={problems}
      labels={{ shop_admin_url: t('connect.shopify.address'), api_key: t('connect.shopify.token') }}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label={t('connect.shopify.address')}
        help={t('connect.shopify.address_help')}
        placeholder="your-store.myshopify.com"
        autoComplete="off"
        inputMode="url"
        required
        value={address}
        error={problems.shop_admin_url}
        onChange={setTyped}
      />
      <TextField
        label={t('connect.shopify.token')}
        help={t(system.has_credentials ? 'connect.stored_help' : 'connect.shopify.token_help')}
        type="password"
        autoComplete="off"
        required
        value={token}
        error={problems.api_key}
        onChange={setToken}
      />
      <div>
        <Button type="submit" variant={system.has_credentials ? 'secondary' : 'primary'} isBusy={save.isPending}>
          {t('connect.save_and_check')}
        </Button>
      </div>
    </Form>
  )
}

function withScheme(address: string): string {
  const text = address.trim()
  return /^https?:\/\//i.test(text) ? text : `https://${text}`
}
