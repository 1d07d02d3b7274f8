import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api, readList, refresh } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Form, problemsByField } from '../../../kit/form.tsx'
import { List } from '../../../kit/list/list.tsx'
import { Card, Page } from '../../../kit/page.tsx'
import { Empty } from '../../../kit/states.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { addressPath } from './words.ts'

type Suppression = Schemas['MailSuppression']

const perPage = 30

/** The addresses that get no mail, or no offers, and why. */
export function MailAddresses() {
  const slug = useSlug()
  const mayEdit = useMay('editor')
  const mayAllow = useMay('admin')
  const search = useSearch({ from: '/signed-in/$slug/settings/mail/addresses' })
  const navigate = useNavigate({ from: '/$slug/settings/mail/addresses' })
  const allow = useAllow()
  const list = useQuery({
    ...readList(addressPath, { params: { path: { slug }, query: { page: search.page ?? 1, per_page: perPage } } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title={t('mail.addresses')}
      lead={t('mail.addresses_lead')}
      back={
        <Link to="/$slug/settings/mail" params={{ slug }}>
          {t('mail.back')}
        </Link>
      }
    >
      {mayEdit && <AddAddress />}
      <List<Suppression>
        label={t('mail.addresses')}
        query={list}
        keyOf={({ uuid }) => uuid}
        nameOf={nameOf}
        search={search}
        onSearch={(given) => navigate({ search: (before) => ({ ...before, ...given }) })}
        perPage={perPage}
        empty={<Empty title={t('mail.addresses_empty')}>{t('mail.addresses_empty_text')}</Empty>}
        columns={[
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
        ]}
      />
    </Page>
  )
}

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
