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
    /** When it is removed, unless it is used before; null: never. */
    expires_at: Date | null
    /** The order of the claim form that it was uploaded with. */
    order_id: string | null
  }
}
