export interface ImageTables {
  images: {
    shop_id: string
    key: string
    image_type: string
    media_type: string
    size_bytes: number
    width: number
    height: number
    created_at: Date
    /** When it is removed, unless somebody takes it until then; null: never. */
    expires_at: Date | null
    /** The order that it waits for a claim of, where it came with a form. */
    order_id: string | null
  }
}
