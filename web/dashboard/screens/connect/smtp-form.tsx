import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import { credentialDependents } from '../../app/credential-fields.ts'
import { RemoveCredentials } from '../../app/remove-credentials.tsx'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { t } from '../../texts/texts.ts'

export type StoredAccount = NonNullable<Schemas['MaskedIntegrationKeys']['smtp']>
type Security = StoredAccount['security']

const securities = ['starttls', 'tls', 'none'] as const
const ports: Record<Security, string> = { tls: '465', starttls: '587', none: '25' }
const textFields = ['host', 'port', 'username', 'password', 'from_name', 'from_address', 'reply_to'] as const
type Values = Record<(typeof textFields)[number], string> & { security: Security }

interface SmtpFormProps {
  stored: StoredAccount | undefined
  onSaved: () => void
}

/** Server, sign-in and sender. They are one secret: changing one of them takes the password again. */
export function SmtpForm({ stored, onSaved }: SmtpFormProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const shop = useQuery(read('/v1/shops/{slug}/profile', { params: { path: { slug } } }))
  const [typed, setTyped] = useState<Partial<Values>>({})
  const values: Values = { ...initial(stored, shop.data?.name ?? ''), ...typed }
  const set = (change: Partial<Values>) => setTyped((before) => ({ ...before, ...change }))
  const save = useMutation({
    mutationFn: () => api.put('/v1/shops/{slug}/keys/smtp', { params: { path: { slug } }, body: bodyOf(values) }),
    async onSuccess() {
      await refresh(queryClient, ...credentialDependents)
      setTyped({})
      onSaved()
    },
  })
  const problems = problemsByField(save.error)
  const field = (name: (typeof textFields)[number]) => ({
    label: t(`connect.smtp.${name}`),
    value: values[name],
    error: problems[name],
    onChange: (value: string) => set({ [name]: value }),
  })
  return (
    <Form
      className="stack"
      problems={problems}
      labels={Object.fromEntries(textFields.map((name) => [name, t(`connect.smtp.${name}`)]))}
      onSubmit={() => save.mutate()}
    >
      <TextField {...field('host')} help={t('connect.smtp.host_help')} required autoComplete="off" spellCheck={false} />
      <SelectField
        label={t('connect.smtp.security')}
        value={values.security}
        choices={securities.map((value) => ({ value, label: t(`connect.smtp.security_${value}`) }))}
        onChange={(security) => set({ security, port: ports[security] })}
      />
      <TextField {...field('port')} required inputMode="numeric" className="short-input" />
      <TextField {...field('username')} help={t('connect.smtp.username_help')} autoComplete="off" spellCheck={false} />
      <TextField
        {...field('password')}
        help={t(stored?.password ? 'connect.smtp.password_again' : 'connect.smtp.password_help')}
        type="password"
        autoComplete="new-password"
      />
      <TextField {...field('from_name')} help={t('connect.smtp.from_name_help')} required />
      <TextField {...field('from_address')} help={t('connect.smtp.from_address_help')} type="email" required />
      <TextField {...field('reply_to')} help={t('connect.smtp.reply_to_help')} type="email" />
      <div className="row">
        <Button type="submit" variant={stored ? 'secondary' : 'primary'} isBusy={save.isPending}>
          {t('connect.save_and_check')}
        </Button>
        {stored && (
          <RemoveCredentials
            system="smtp"
            words={{
              action: t('connect.smtp.remove'),
              title: t('connect.smtp.remove_title'),
              text: t('connect.smtp.remove_text'),
            }}
          />
        )}
      </div>
    </Form>
  )
}

/** The stored values, except user name and password: of those, only the ends are known. */
function initial(stored: StoredAccount | undefined, shopName: string): Values {
  return {
    host: stored?.host ?? '',
    security: stored?.security ?? 'starttls',
    port: String(stored?.port ?? ports.starttls),
    username: '',
    password: '',
    from_name: stored?.from_name ?? shopName,
    from_address: stored?.from_address ?? '',
    reply_to: stored?.reply_to ?? '',
  }
}

function bodyOf(values: Values): Schemas['SmtpCredentials'] {
  return {
    host: values.host.trim(),
    port: Number(values.port),
    security: values.security,
    username: values.username.trim() || null,
    password: values.password || null,
    from_name: values.from_name.trim(),
    from_address: values.from_address.trim(),
    reply_to: values.reply_to.trim() || null,
  }
}
