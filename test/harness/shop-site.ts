import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The site of a shop: pages at an origin of their own, with a strict policy. */
export interface ShopSite {
  origin: string
  /** The address of a page with this body. */
  show(body: string, options?: SitePage): string
}

export interface SitePage {
  lang?: string
  /** CSS of the site. */
  style?: string
}

/** A site on loopback that loads scripts from the service and nothing inline; closed after the test. */
export async function openShopSite(service: string, script: string): Promise<ShopSite> {
  const pages = new Map<string, string>()
  const server = createServer((request: IncomingMessage, response) => {
    const found = pages.get(request.url ?? '')
    const isStyle = request.url?.endsWith('.css')
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': `text/${isStyle ? 'css' : 'html'}; charset=utf-8`,
      'content-security-policy': `default-src 'none'; script-src ${service}; connect-src ${service}; frame-src ${service} http://localhost:*; style-src 'self'; img-src data:`,
    })
    response.end(found ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    show(body, { lang = 'en', style = '' } = {}) {
      const path = `/page-${pages.size}`
      pages.set(`${path}.css`, style)
      pages.set(
        path,
        `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>A shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="${path}.css"><script type="module" src="${script}"></script></head>
<body><main><h1>A pair of boots</h1>${body}<p id="below">What is below must not move.</p></main></body></html>`,
      )
      return `${origin}${path}`
    },
  }
}
