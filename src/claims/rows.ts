import type { Generated } from 'kysely'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
    claims: {
      shop_id: string
      id: string
      order_id: string
      shipment_id: string
      reason: string
      resolution_preference: string | null
      status: string
      description: string | null
      /** The claim as it is shown, except for what has its own column. */
      details: unknown
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
      /** The shop's message to the customer. */
      reply: string | null
      /** The status that followed pending, and since when. */
      decision: string | null
      decided_at: Date | null
      /** claim or withdrawal. */
      kind: Generated<string>
      /** Of a withdrawal: stated after the last day of the period. */
      is_late: Generated<boolean>
      /** Of a withdrawal: who stated it, when, and in which words. */
      statement: unknown
    }
    claim_decisions: {
      shop_id: string
      claim_id: string
      status: string
      /** The other fields of a ClaimUpdate that are given. */
      changes: unknown
      decided_by: string
      actor_kind: string
      actor_id: string
      decided_at: Date
      due_at: Date
    }
  }
}
