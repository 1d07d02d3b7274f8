import type { ReactNode } from 'react'
import { RelativeTime } from '../../kit/time.tsx'
import { rich } from '../../texts/texts.ts'
import type { ShopSystem } from './data.ts'

/** The time of the system's last message; undefined if there was none. An order counts more than a ping. */
export function arrivedWords({ last_received_at, last_ping_at }: ShopSystem): ReactNode | undefined {
  if (last_received_at !== null) {
    return rich('connect.message_arrived', { time: <RelativeTime at={last_received_at} /> })
  }
  if (last_ping_at !== null) return rich('connect.ping_arrived', { time: <RelativeTime at={last_ping_at} /> })
  return undefined
}
