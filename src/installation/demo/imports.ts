import { appendChunk, beginFile } from '../../orders/imports/file-store.ts'
import { queueImport } from '../../orders/imports/store.ts'
import { after, dayMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'

const header = 'order_number,order_placed_at,email_id,name,zip_code,country_code,product_title,product_quantity,Shelf'

/** Orders of a market stall, as somebody typed them; four rows have a problem. */
const rowsOf = (day: string) => [
  `M-2001,${day}T10:15:00Z,ida.berg@example.com,Ida Berg,10115,DE,Cairn beanie,1,A1`,
  `M-2002,${day}T10:40:00Z,tom.keller@example.com,Tom Keller,80331,DE,Tarn socks,3,A2`,
  'M-2003,yesterday,lea.roth@example.com,Lea Roth,50667,DE,Tarn socks,2,A2',
  `M-2004,${day}T11:20:00Z,max.vogt@example.com,Max Vogt,01067,DE,Heath shirt,two,B1`,
  `M-2005,${day}T11:45:00Z,nora.lind@example.com,Nora Lind,1010,AT,Heath shirt,1,B1`,
  `M-2001,${day}T12:05:00Z,ida.berg@example.com,Ida Berg,10115,DE,Larch jacket,1,C3`,
  `M-2006,${day}T12:30:00Z,ute.hahn@example.com,Ute Hahn,20095,DE,Larch jacket,1,C3,sold out`,
]

/** A file that was uploaded to be checked: the worker finds its problems, and nothing of it is written. */
export async function checkFile(context: ShopContext): Promise<void> {
  const id = newId(context.now)
  const until = after(context.now, minuteMs)
  const rows = rowsOf(
    after(context.now, -2 * dayMs)
      .toISOString()
      .slice(0, 10),
  )
  await beginFile(context, id, 'market-stall.csv', until)
  const bytes = Buffer.from(`${[header, ...rows].join('\n')}\n`)
  await appendChunk(context, id, { number: 0, bytes }, until)
  await queueImport(context, id, true)
}
