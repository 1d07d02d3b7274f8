import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'

/** The script that checks the accessibility of a page. */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The path from which the pages of the stage's service load it. */
export const axePath = '/axe-core.js'

/**
 * Serves it beside the pages. The browser keeps it, compiled: half a megabyte that is sent to each page through the
 * debugger, and compiled there, takes as long as a check.
 */
export function serveAxe(server: Server): void {
  const others = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (request.url !== axePath) {
      for (const listener of others) listener.call(server, request, response)
      return
    }
    response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=86400, immutable' })
    response.end(axe)
  })
}
