// Serves a plain page, and the status that it shows. The API key stays here; the browser never sees it.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const { API_KEY, DOORSTEP_URL = 'http://localhost:8080', PORT = 3000, SHOP = 'demo' } = process.env
const page = await readFile(new URL('index.html', import.meta.url))

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  if (pathname === '/') return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  if (pathname !== '/status') return response.writeHead(404).end()
  const status = await findStatus(searchParams.get('order'), searchParams.get('zip')).catch(() => undefined)
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  response.writeHead(status ? 200 : 404, headers).end(JSON.stringify(status ?? {}))
}).listen(PORT, '127.0.0.1', () => console.log(`the page is at http://127.0.0.1:${PORT}`))

/** Only who knows the number and the zip code: numbers can be guessed. */
async function findStatus(order_number, zip_code) {
  if (!order_number || !zip_code) return undefined
  const query = new URLSearchParams({ order_number, zip_code, per_page: '1' })
  const response = await fetch(`${DOORSTEP_URL}/v1/shops/${SHOP}/orders?${query}`, {
    headers: { authorization: `Basic ${btoa(`admin:${API_KEY}`)}` },
  })
  if (!response.ok) throw new Error(`the service responded with ${response.status}`)
  const [order] = await response.json()
  const parcel = order?.trackings.at(0)
  const newest = parcel?.events.toSorted((one, other) => other.time.localeCompare(one.time)).at(0)
  return (
    newest && { headline: newest.event_strings.header_headline, text: newest.event_strings.list_label, at: newest.time }
  )
}
