import type { Generated } from 'kysely'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
    automations: {
      shop_id: string
      id: string
      name: string
      description: string | null
      enabled: boolean
      trigger_events: string[]
      conditions: unknown
      delay_minutes: number
      actions: unknown
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
    }
    automation_filters: {
      shop_id: string
      filter: string
      automation_id: string
    }
    automation_runs: {
      shop_id: string
      id: string
      automation_id: string
      notification_id: string
      status: string
      reason: string | null
      actions: unknown
      /** In the order of the actions; empty until they have run. */
      outcomes: unknown
      attempts: Generated<number>
      triggered_at: Date
      due_at: Date
      finished_at: Date | null
    }
  }
}
