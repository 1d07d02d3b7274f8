import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { CopyTable } from '../../kit/copy.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { t } from '../../texts/texts.ts'
import { LiveCheck } from './check.tsx'
import { type ShopSystem, useCheck } from './data.ts'
import { Instructions } from './instructions.tsx'

/** A key of the store's REST API, with which existing orders are read. */
export function WooCommerceKey({ system }: { system: ShopSystem }) {
  const check = useCheck('woocommerce')
  return (
    <>
      <p>{t('connect.woocommerce.key_text')}</p>
      <Instructions name="woocommerce_key" />
      <CopyTable
        label={t('connect.woocommerce.key_form')}
        rows={[
          { name: t('connect.woocommerce.field.description'), value: 'Doorstep' },
          { name: t('connect.woocommerce.field.permissions'), value: t('connect.woocommerce.read'), isCopied: false },
        ]}
      />
      <KeyForm system={system} onSaved={() => check.mutate()} />
      {system.has_credentials && <LiveCheck system="woocommerce" check={check} known={system.problem} />}
    </>
  )
}

const fields = ['store_url', 'consumer_key', 'consumer_secret'] as const
type Values = Record<(typeof fields)[number], string>

function KeyForm({ system, onSaved }: { system: ShopSystem; onSaved: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const shop = useQuery(read('/v1/shops/{slug}/profile', { params: { path: { slug } } }))
  const [typed, setTyped] = useState<Partial<Values>>({})
  const values: Values = {
    store_url: typed.store_url ?? system.store?.url ?? shop.data?.shop_url ?? '',
    consumer_key: typed.consumer_key ?? '',
    consumer_secret: typed.consumer_secret ?? '',
  }
  const save = useMutation({
    async mutationFn() {
      const body = {
        store_url: values.store_url.trim(),
        consumer_key: values.consumer_key.trim(),
        consumer_secret: values.consumer_secret.trim(),
      }
      await api.put('/v1/shops/{slug}/keys/woocommerce', { params: { path: { slug } }, body })
    },
    async onSuccess() {
      setTyped(({ store_url }) => (store_url === undefined ? {} : { store_url }))
      await refresh(queryClient, '/v1/shops/{slug}/keys', '/v1/shops/{slug}/connections')
      onSaved()
    },
  })
  const problems = problemsByField(save.error)
  return (
    <Form
      className="stack"
      problems={problems}
      labels={Object.fromEntries(fields.map((field) => [field, t(`connect.woocommerce.${field}`)]))}
      onSubmit={() => save.mutate()}
    >
      {fields.map((field) => (
        <TextField
          key={field}
          label={t(`connect.woocommerce.${field}`)}
          help={helpOf(field, system.has_credentials)}
          type={field === 'store_url' ? 'url' : 'password'}
          autoComplete="off"
          required
          value={values[field]}
          error={problems[field]}
          onChange={(value) => setTyped((before) => ({ ...before, [field]: value }))}
        />
      ))}
      <div>
        <Button type="submit" variant={system.has_credentials ? 'secondary' : 'primary'} isBusy={save.isPending}>
          {t('connect.save_and_check')}
        </Button>
      </div>
    </Form>
  )
}

function helpOf(field: (typeof fields)[number], isStored: boolean): string | undefined {
  if (field === 'store_url') return t('connect.woocommerce.store_url_help')
  if (isStored) return t('connect.stored_help')
  return field === 'consumer_key' ? t('connect.woocommerce.consumer_key_help') : t('credentials.help')
}
