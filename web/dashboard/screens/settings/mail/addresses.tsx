import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api, readList, refresh } from '../../../app/api.ts'
import { useListQuery } from '../../../app/list-query.ts'
import { listScreen } from '../../../app/list-screen.tsx'
import { useMay, useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Form, problemsByField } from '../../../kit/form.tsx'
import type { ListSearch } from '../../../kit/list/search.ts'
import { Card } from '../../../kit/page.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { addressPath } from './words.ts'

type Suppression = Schemas['MailSuppression']

const perPage = 30

/** The addresses that get no mail, or no offers, and why. */
export const MailAddresses = listScreen<Suppression, ListSearch>({
  title: t('mail.addresses'),
  lead: t('mail.addresses_lead'),
  Back: () => (
    <Link to="/$slug/settings/mail" params={{ slug: useSlug() }}>
      {t('mail.back')}
    </Link>
  ),
  Above: AddAddress,
  useRows: (slug, { page = 1 }) =>
    useListQuery({
      ...readList(addressPath, { params: { path: { slug }, query: { page, per_page: perPage } } }),
      refetchInterval: false,
    }),
  perPage,
  keyOf: ({ uuid }) => uuid,
  nameOf,
  useColumns: () => {
    const mayAllow = useMay('admin')
    const allow = useAllow()
    return [
      { name: 'address', label: t('mail.address'), cell: (row) => <span className="strong">{nameOf(row)}</span> },
      { name: 'reason', label: t('mail.address_reason'), cell: ({ reason }) => t(`mail.reason.${reason}`) },
      {
        name: 'gets',
        label: t('mail.address_gets'),
        cell: ({ gets_mail }) => t(gets_mail ? 'mail.address_no_promotion' : 'mail.address_nothing'),
      },
      { name: 'detail', label: t('mail.address_detail'), cell: ({ detail }) => detail },
      { name: 'since', label: t('mail.address_since'), cell: ({ since }) => <RelativeTime at={since} /> },
      ...(mayAllow
        ? [
            {
              name: 'actions',
              label: t('mail.address_actions'),
              cell: (row: Suppression) => (
                <Button variant="quiet" isSmall isIconOnly icon="undo" onClick={() => allow.mutate(row.uuid)}>
                  {t('mail.address_allow', { address: nameOf(row) })}
                </Button>
              ),
            },
          ]
        : []),
    ]
  },
  empty: { title: t('mail.addresses_empty'), text: t('mail.addresses_empty_text') },
})

function nameOf({ address }: Suppression): string {
  return address ?? t('mail.address_erased')
}

function useAllow() {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (uuid: string) => api.delete(`${addressPath}/{uuid}`, { params: { path: { slug, uuid } } }),
    onSuccess: async () => {
      await refresh(queryClient, addressPath)
      toasts.done(t('mail.address_allowed'))
    },
    onError: toasts.failed,
  })
}

function AddAddress() {
  return useMay('editor') && <AddressForm />
}

function AddressForm() {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [address, setAddress] = useState('')
  const add = useMutation({
    mutationFn: () => api.post(addressPath, { params: { path: { slug } }, body: { address } }),
    onSuccess: async () => {
      setAddress('')
      await refresh(queryClient, addressPath)
      toasts.done(t('mail.address_added'))
    },
  })
  const problems = problemsByField(add.error)
  return (
    <Card title={t('mail.address_add')}>
      <Form className="stack" problems={problems} labels={{ address: t('mail.address') }} onSubmit={() => add.mutate()}>
        <div className="row mail-add">
          <TextField
            label={t('mail.address')}
            type="email"
            autoComplete="off"
            value={address}
            error={problems.address}
            onChange={setAddress}
          />
          <Button type="submit" isBusy={add.isPending} disabled={address.trim() === ''}>
            {t('mail.address_add_action')}
          </Button>
        </div>
      </Form>
    </Card>
  )
}
