import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { Badge, type Tone } from '../kit/badge.tsx'
import { hasText, t } from '../texts/texts.ts'
import { read } from './api.ts'

type Phase = Schemas['EventDescription']['phase']
type Flag = Schemas['EventDescription']['flag']

/** These lists change with a new version of the service only. */
const forever = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

/** The words for event names, as customers read them. */
export function useEventWords(): (eventName: string) => string {
  const { data = [] } = useQuery({ ...read('/v1/event-names'), ...forever })
  return (eventName) => data.find(({ event_name }) => event_name === eventName)?.text ?? sentence(eventName)
}

/** Every event name with its meaning; empty while it is loaded. */
export function useEventNames(): readonly Schemas['EventDescription'][] {
  const { data = [] } = useQuery({ ...read('/v1/event-names'), ...forever })
  return data
}

/** The names of carriers, as people write them. */
export function useCarrierName(): (reference: string | null | undefined) => string {
  const { data = [] } = useQuery({ ...read('/v1/carriers'), ...forever })
  return (reference) => {
    if (reference === null || reference === undefined || reference === '') return t('words.no_carrier')
    return data.find(({ carrier_reference }) => carrier_reference === reference)?.name ?? reference
  }
}

const tones: Record<Phase, Tone> = {
  order_created: 'neutral',
  order_processed: 'neutral',
  order_cancelled: 'neutral',
  in_transit: 'info',
  in_delivery: 'info',
  collect: 'late',
  delivered: 'good',
  delivery_failed: 'wrong',
  return_created: 'neutral',
  return_transit: 'info',
  return_received: 'good',
  return_failed: 'wrong',
  returned: 'late',
}

/** The phase of a parcel as text; a delay or a problem is named too. */
export function PhaseBadge({ phase, flag = 'normal' }: { phase: string; flag?: string }) {
  const words = hasText(`phase.${phase}`) ? t(`phase.${phase as Phase}`) : sentence(phase)
  const tone = flag === 'error' ? 'wrong' : flag === 'delay' ? 'late' : (tones[phase as Phase] ?? 'neutral')
  const isFlagged = flag !== 'normal' && hasText(`flag.${flag}`)
  return <Badge tone={tone}>{isFlagged ? `${words} · ${t(`flag.${flag as Flag}`)}` : words}</Badge>
}

/** `OUT_FOR_DELIVERY` as "Out for delivery": for names that are newer than this page. */
function sentence(name: string): string {
  const words = name.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
