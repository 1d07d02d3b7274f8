// Serves a page with both components. A shop has the public key in its template; here it is asked for once.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const { API_KEY, DOORSTEP_URL = 'http://localhost:8080', PORT = 3000, SHOP = 'demo' } = process.env
const response = await fetch(`${DOORSTEP_URL}/v1/shops/${SHOP}/embedding`, {
  method: 'PATCH',
  headers: { authorization: `Basic ${btoa(`admin:${API_KEY}`)}`, 'content-type': 'application/json' },
  // Pages of this domain may use the components.
  body: JSON.stringify({ domains: ['127.0.0.1'] }),
})
if (!response.ok) throw new Error(`the service responded with ${response.status}`)
const { public_key: PUBLIC_KEY } = await response.json()
const values = { DOORSTEP_URL, SHOP, PUBLIC_KEY }
const template = await readFile(new URL('index.html', import.meta.url), 'utf8')
const page = template.replaceAll(/%(\w+)%/g, (_, name) => values[name])

createServer((request, response) => {
  if (request.url !== '/') return response.writeHead(404).end()
  return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}).listen(PORT, '127.0.0.1', () => console.log(`the page is at http://127.0.0.1:${PORT}`))
