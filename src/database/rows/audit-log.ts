export interface AuditLogTables {
  audit_log: {
    id: string
    /** Null: the change concerns the installation. */
    shop_id: string | null
    recorded_at: Date
    actor_kind: 'key' | 'person' | 'automation' | 'system'
    actor_id: string | null
    actor_name: string | null
    /** The operation's name. */
    action: string
    area: string
    subject_kind: string
    subject_id: string | null
    subject_name: string | null
    /** Of the type `Changes`. */
    changes: unknown
  }
}
