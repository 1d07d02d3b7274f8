import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, read, readList, refresh, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'

export type Connections = Schemas['Connections']
export type ShopSystem = Schemas['ShopSystemConnection']
export type SystemName = ShopSystem['name']
export type CatchUp = Schemas['CatchUp']
export type State = ShopSystem['state']
export type ProviderAccount = Schemas['ProviderConnection']
export type MarketingAccount = Schemas['MarketingConnection']
export type MailConnection = Schemas['MailConnection']
export type ProviderName = keyof Schemas['TrackingProviders']
export type ProviderSettings = Schemas['TrackingProviders'][ProviderName]
export type Check = Schemas['ConnectionCheck']
export type Backfill = Schemas['Backfill']

/** While somebody waits for the other system, its messages appear almost at once. */
const liveMs = 2_000

export function useConnections({ isLive = false } = {}) {
  const slug = useSlug()
  return useQuery({
    ...read('/v1/shops/{slug}/connections', { params: { path: { slug } } }),
    refetchInterval: isLive ? liveMs : refreshMs,
  })
}

/** A harmless call with the stored credentials. Its result is part of the connection's state afterwards. */
export function useCheck(name: Check['name']) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.post('/v1/shops/{slug}/connections/{name}/check', { params: { path: { slug, name } } }),
    onSuccess: () => refresh(queryClient, '/v1/shops/{slug}/connections'),
  })
}

/** Has recent orders read again now; the connection shows what came of it. */
export function useCatchUp(name: SystemName) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.post('/v1/shops/{slug}/connections/{name}/catch-up', { params: { path: { slug, name } } }),
    onSuccess: () => refresh(queryClient, '/v1/shops/{slug}/connections', '/v1/shops/{slug}/orders'),
  })
}

export function useRegisterWebhooks(system: 'shopify' | 'woocommerce') {
  const slug = useSlug()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      system === 'shopify'
        ? api.post('/v1/shops/{slug}/connections/shopify/webhooks', { params: { path: { slug } } })
        : api.post('/v1/shops/{slug}/connections/woocommerce/webhooks', { params: { path: { slug } } }),
    onSuccess: () => refresh(queryClient, '/v1/shops/{slug}/connections'),
  })
}

/** The last import of existing orders from a system; undefined while it loads, null if there was none. */
export function useBackfill(system: SystemName) {
  const slug = useSlug()
  return useQuery({
    ...readList('/v1/shops/{slug}/backfills', { params: { path: { slug } } }),
    select: ({ rows }) => rows.find((row) => row.system === system) ?? null,
    refetchInterval: ({ state }) => (state.data?.rows.some(isActive) ? liveMs : refreshMs),
  })
}

export function isActive({ status }: Backfill): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting'
}

export function useBackfillActions(system: SystemName) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const onSuccess = () => refresh(queryClient, '/v1/shops/{slug}/backfills', '/v1/shops/{slug}/orders')
  const start = useMutation({
    mutationFn: (days: number) =>
      api.post('/v1/shops/{slug}/backfills', { params: { path: { slug } }, body: { system, days } }),
    onSuccess,
  })
  const params = (backfill_id: string) => ({ params: { path: { slug, backfill_id } } })
  const pause = useMutation({
    mutationFn: (id: string) => api.post('/v1/shops/{slug}/backfills/{backfill_id}/cancel', params(id)),
    onSuccess,
  })
  const resume = useMutation({
    mutationFn: (id: string) => api.post('/v1/shops/{slug}/backfills/{backfill_id}/resume', params(id)),
    onSuccess,
  })
  return { start, pause, resume }
}
