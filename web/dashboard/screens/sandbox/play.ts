import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { api, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'

export const journeys = [
  'DELIVERED',
  'DELAYED',
  'LOST',
  'RETURNED',
  'NEIGHBOR',
  'LOCKER',
  'FAILED',
  'LETTERBOX',
] as const
export type Journey = (typeof journeys)[number]

/** The time from one scan to the next, as it stands in the number. */
export const steps = ['2S', '10S', '1M', '10M', '1H'] as const

export interface Item {
  title: string
  quantity: number
}

export interface Play {
  journey: Journey
  step: string
  name: string
  email: string
  country: string
  items: readonly Item[]
}

/** Places where made-up customers live. */
const towns: Record<string, { city: string; zip_code: string; street: string }> = {
  DE: { city: 'Berlin', zip_code: '10115', street: 'Torstraße 1' },
  AT: { city: 'Wien', zip_code: '1010', street: 'Stephansplatz 1' },
  CH: { city: 'Zürich', zip_code: '8001', street: 'Bahnhofstrasse 1' },
  FR: { city: 'Paris', zip_code: '75002', street: 'Rue Montmartre 1' },
  NL: { city: 'Amsterdam', zip_code: '1012 AB', street: 'Damrak 1' },
  GB: { city: 'London', zip_code: 'EC1A 1BB', street: 'Newgate Street 1' },
  US: { city: 'New York', zip_code: '10001', street: 'West 30th Street 1' },
}
export const countries = Object.keys(towns)

/** Creates an order with a sandbox parcel, and opens its page. */
export function usePlay() {
  const slug = useSlug()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (play: Play) => {
      const id = Date.now().toString(36).toUpperCase()
      const { response } = await api.raw.PUT('/v1/shops/{slug}/orders', {
        params: { path: { slug } },
        body: upsertOf(play, id),
      })
      return (response.headers.get('location') ?? '').split('/').at(-1) ?? ''
    },
    async onSuccess(orderId) {
      await navigate({ to: '/$slug/sandbox/$orderId', params: { slug, orderId } })
      await refresh(queryClient, '/v1/shops/{slug}/lists')
    },
  })
}

function upsertOf({ journey, step, name, email, country, items }: Play, id: string): Schemas['OrderUpsert'] {
  const orderNumber = `SANDBOX-${id}`
  const products = items.filter(({ title }) => title.trim() !== '').map((item) => ({ ...item, price: 20 }))
  return {
    id: orderNumber,
    id_type: 'order_number',
    order: {
      order_number: orderNumber,
      external_id: orderNumber,
      order_placed_at: new Date().toISOString(),
      email_id: email,
      total_order_price: products.reduce((sum, { quantity }) => sum + quantity * 20, 0),
      address: { name, country_code: country, ...towns[country] },
      products,
    },
    trackings: [{ tracking_number: `SBX-${journey}-${step}-${id}`, carrier_reference: 'sandbox' }],
  }
}

/** The journey and the speed that a sandbox number stands for. */
export function readNumber(trackingNumber: string | null): { journey: Journey; step: string } | undefined {
  const [, given, step] = /^SBX-([A-Z]+)-(\d+[SMH])-/i.exec(trackingNumber ?? '') ?? []
  const journey = journeys.find((known) => known === given?.toUpperCase())
  return journey && step ? { journey, step: step.toUpperCase() } : undefined
}

const unitMs: Record<string, number> = { S: 1_000, M: 60_000, H: 3_600_000 }

export function stepMs(step: string): number {
  return Number.parseInt(step, 10) * (unitMs[step.slice(-1)] ?? 1_000)
}
