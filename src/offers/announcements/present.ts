import type { Announcement } from './schema.ts'
import type { AnnouncementRow } from './store.ts'

export function toAnnouncement(row: AnnouncementRow): Announcement {
  return {
    uuid: row.id,
    text: row.text,
    language: row.language as Announcement['language'], // the schema allows only these
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
