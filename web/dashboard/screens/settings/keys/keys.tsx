import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { read } from '../../../app/api.ts'
import { useMay, useSession, useSlug } from '../../../app/session.ts'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { formatTime } from '../../../kit/format.ts'
import { Filter } from '../../../kit/list/controls.tsx'
import { List } from '../../../kit/list/list.tsx'
import type { Column } from '../../../kit/list/table.tsx'
import { Page } from '../../../kit/page.tsx'
import { Empty } from '../../../kit/states.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { t } from '../../../texts/texts.ts'
import { roleHere } from '../people/roles-field.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import type { Key } from './key.ts'
import { RevokeKey } from './revoke-key.tsx'
import { scopes } from './search.ts'

const perPage = 50

/** The keys that programs use; a superadmin can see those of all shops. */
export function Keys() {
  const slug = useSlug()
  const { everywhere } = useSession()
  const isSuperadmin = everywhere === 'superadmin'
  const search = useSearch({ from: '/signed-in/$slug/settings/keys' })
  const navigate = useNavigate({ from: '/$slug/settings/keys' })
  const [revoked, setRevoked] = useState<Key | undefined>()
  const seesAll = isSuperadmin && search.scope === 'all'
  const ofShop = useQuery({ ...read('/v1/shops/{slug}/api-keys', { params: { path: { slug } } }), enabled: !seesAll })
  const ofAll = useQuery({ ...read('/v1/api-keys'), enabled: seesAll })
  const keys = seesAll ? ofAll : ofShop
  const { q = '', page = 1 } = search
  // The API returns all at once.
  const result = useMemo(() => pageOf(keys.data?.tokens ?? [], q, page), [keys.data, q, page])
  const open = (open: 'new' | undefined) => void navigate({ search: (before) => ({ ...before, open }) })
  const create = useMay('admin') && (
    <Button variant="primary" icon="plus" onClick={() => open('new')}>
      {t('keys.create')}
    </Button>
  )
  return (
    <Page title={t('keys.title')} lead={t('keys.lead')} actions={create}>
      <List
        // A key that was created here is shown at once.
        key={search.open}
        label={t('keys.title')}
        query={{ ...keys, data: keys.data && result } as never} // the same states, with one page of it
        columns={columnsOf(slug, seesAll, setRevoked)}
        keyOf={({ id }) => id}
        nameOf={({ username }) => username}
        search={{ q: search.q, page: search.page }}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        perPage={perPage}
        searchLabel={t('keys.search')}
        filters={
          isSuperadmin && (
            <Filter
              label={t('keys.scope')}
              isSingle
              choices={scopes.map((value) => ({ value, label: t(`keys.scope_${value}`) }))}
              chosen={[search.scope ?? 'shop']}
              onChange={([scope]) =>
                void navigate({
                  search: (before) => ({ ...before, page: undefined, scope: scope === 'all' ? scope : undefined }),
                })
              }
            />
          )
        }
        empty={
          <Empty title={t('keys.empty')} action={create}>
            {t('keys.empty_text')}
          </Empty>
        }
      />
      {search.open === 'new' && <CreateKeyDialog onClose={() => open(undefined)} />}
      {revoked && <RevokeKey apiKey={revoked} seesAll={seesAll} onClose={() => setRevoked(undefined)} />}
    </Page>
  )
}

function pageOf(keys: readonly Key[], q: string, page: number) {
  const wanted = q.trim().toLowerCase()
  const found = keys.filter(({ username, secret, shops }) =>
    [username, secret, ...shops.map(({ shop_slug }) => shop_slug)].some((text) => text.toLowerCase().includes(wanted)),
  )
  const rows = found.slice((page - 1) * perPage, page * perPage)
  return { rows, total: found.length, hasNext: found.length > page * perPage }
}

function columnsOf(slug: string, seesAll: boolean, revoke: (key: Key) => void): Column<Key>[] {
  return [
    {
      name: 'username',
      label: t('keys.username'),
      cell: ({ username, secret }) => (
        <span className="stack none">
          <span className="strong">{username}</span>
          <code className="soft">{secret.replace('****', '…')}</code>
        </span>
      ),
    },
    {
      name: 'role',
      label: seesAll ? t('keys.shops') : t('people.role_here'),
      cell: ({ shops }) =>
        seesAll ? (
          <span className="stack none">
            {shops.length === 0 && <span className="soft">{t('keys.no_shop')}</span>}
            {shops.map(({ shop_slug, role }) => (
              <span key={shop_slug}>
                {shop_slug === '*' ? t('people.all_shops') : shop_slug}: {t(`role.${role}`)}
              </span>
            ))}
          </span>
        ) : (
          <span className="row">
            {t(`role.${roleHere(shops, slug)}`)}
            {shops.some(({ shop_slug }) => shop_slug === '*') && <Badge tone="info">{t('people.all_shops')}</Badge>}
          </span>
        ),
    },
    {
      name: 'used',
      label: t('keys.last_used'),
      cell: ({ last_used_at }) =>
        last_used_at === null ? <span className="soft">{t('people.never')}</span> : <RelativeTime at={last_used_at} />,
    },
    { name: 'expires', label: t('keys.expires'), cell: ({ expiration }) => <Expiry at={expiration} /> },
    {
      name: 'revoke',
      label: t('account.actions'),
      cell: (key) => <Revocation apiKey={key} revoke={revoke} />,
    },
  ]
}

function Expiry({ at }: { at: number }) {
  if (at === 0) return <span className="soft">{t('people.never')}</span>
  const time = new Date(at * 1_000)
  if (time.getTime() <= Date.now()) return <Badge tone="wrong">{t('keys.expired')}</Badge>
  return <time dateTime={time.toISOString()}>{formatTime(time)}</time>
}

/** The superadmin's own key is changed by the operator; one for all shops is revoked by a superadmin only. */
function Revocation({ apiKey, revoke }: { apiKey: Key; revoke: (key: Key) => void }) {
  const { everywhere } = useSession()
  const isForAll = apiKey.shops.some(({ shop_slug }) => shop_slug === '*')
  const isOwn = apiKey.shops.some(({ role }) => role === 'superadmin')
  if (isOwn || (isForAll && everywhere !== 'superadmin')) return null
  return (
    <Button isSmall onClick={() => revoke(apiKey)}>
      {t('keys.revoke')}
    </Button>
  )
}
