import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read, refresh } from '../../../app/api.ts'
import { type Listed, listScreen } from '../../../app/list-screen.tsx'
import { useChangeOfList } from '../../../app/list-state.ts'
import { useSession, useSlug } from '../../../app/session.ts'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/dialog.tsx'
import { formatRelative, formatTime } from '../../../kit/format.ts'
import { choicesOf } from '../../../kit/list/filters.ts'
import type { Column } from '../../../kit/list/table.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { roleHere } from '../people/roles-field.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import type { Key } from './key.ts'
import { type KeySearch, scopes } from './search.ts'

const perPage = 50

/** The keys that programs use; a superadmin can see those of all shops. */
export const Keys = listScreen<Key, KeySearch>({
  title: t('keys.title'),
  lead: t('keys.lead'),
  useRows: (slug, search) => {
    const seesAll = useSeesAll(search)
    const { q = '', page = 1 } = search
    // The API returns all at once.
    const select = ({ tokens }: { tokens: readonly Key[] }) => pageOf(tokens, q, page)
    const ofShop = useQuery({
      ...read('/v1/shops/{slug}/api-keys', { params: { path: { slug } } }),
      select,
      enabled: !seesAll,
    })
    const ofAll = useQuery({ ...read('/v1/api-keys'), select, enabled: seesAll })
    return seesAll ? ofAll : ofShop
  },
  perPage,
  keyOf: ({ id }) => id,
  nameOf: ({ username }) => username,
  useColumns: ({ slug, search, open }) => columnsOf(slug, useSeesAll(search), open),
  useFilters: ({ search }) =>
    useIsSuperadmin()
      ? [
          {
            label: t('keys.scope'),
            choices: choicesOf(scopes, (value) => t(`keys.scope_${value}`)),
            chosen: [search.scope ?? 'shop'],
            change: ([scope]) => ({ scope: scope === 'all' ? scope : undefined }),
            isSingle: true,
          },
        ]
      : [],
  searchLabel: t('keys.search'),
  besides: ['scope', 'open'],
  // A key that was created here is shown at once.
  keyOfList: ({ open }) => open,
  create: { needs: 'admin', Button: CreateKey },
  RowDialog: Revoking,
  Below: Creating,
  empty: { title: t('keys.empty'), text: t('keys.empty_text') },
})

function useIsSuperadmin(): boolean {
  return useSession().everywhere === 'superadmin'
}

function useSeesAll({ scope }: KeySearch): boolean {
  return useIsSuperadmin() && scope === 'all'
}

function CreateKey() {
  const change: (change: KeySearch) => void = useChangeOfList()
  return (
    <Button variant="primary" icon="plus" onClick={() => change({ open: 'new' })}>
      {t('keys.create')}
    </Button>
  )
}

function Creating({ search, change }: Listed<Key, KeySearch>) {
  return search.open === 'new' && <CreateKeyDialog onClose={() => change({ open: undefined })} />
}

function Revoking({ row, search, onClose }: { row: Key; search: KeySearch; onClose: () => void }) {
  return <RevokeKey apiKey={row} seesAll={useSeesAll(search)} onClose={onClose} />
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

interface RevokeKeyProps {
  apiKey: Key
  /** Revoked in all its shops, not in this one only. */
  seesAll: boolean
  onClose: () => void
}

function RevokeKey({ apiKey, seesAll, onClose }: RevokeKeyProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const token_id = apiKey.id
  const revoke = useMutation({
    mutationFn: () =>
      seesAll
        ? api.delete('/v1/api-keys/{token_id}', { params: { path: { token_id } } })
        : api.delete('/v1/shops/{slug}/api-keys/{token_id}', { params: { path: { slug, token_id } } }),
    async onSuccess() {
      await refresh(queryClient, '/v1/api-keys', '/v1/shops/{slug}/api-keys')
      toasts.done(t('keys.revoked', { name: apiKey.username }))
      onClose()
    },
  })
  const used = apiKey.last_used_at
  return (
    <Confirm
      title={t('keys.revoke_title', { name: apiKey.username })}
      action={t('keys.revoke')}
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      {revoke.isError && <Problem error={revoke.error} />}
      <p>{t('keys.revoke_text', { count: Math.max(1, apiKey.shops.length) })}</p>
      <p>{used === null ? t('keys.never_used') : t('keys.was_used', { time: formatRelative(used) })}</p>
    </Confirm>
  )
}
