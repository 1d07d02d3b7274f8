import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeCertificate } from './certificate.ts'
import { findClosedPort } from './loopback.ts'
import { until } from './patience.ts'
import { type Cleanup, makeFolder } from './process.ts'

const program = '/usr/sbin/nginx'
export const hasNginx = existsSync(program)

const shipped = fileURLToPath(new URL('../../deploy/nginx', import.meta.url))

export interface Router {
  port: number
  /** Replaces the list of shops and makes nginx read it. */
  setShops(lines: string[]): void
  call(host: string, path: string, options?: RouterCall): Promise<RouterReply>
}

export interface RouterCall {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Resolve with the head of the response, and close the connection. */
  headOnly?: boolean
}

export interface RouterReply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Debian's nginx with the configuration that we ship, on other ports and with a certificate of its own. */
export async function startRouter(
  ports: { router: number; main: number; eu: number },
  shops: string[],
  cleanup: Cleanup,
): Promise<Router> {
  const folder = makeFolder(cleanup)
  const { certificateFile, keyFile } = makeCertificate(cleanup)
  const settings = join(folder, 'nginx.conf')
  const shopsFile = join(folder, 'doorstep', 'shops.map')
  cpSync(shipped, join(folder, 'doorstep'), { recursive: true })
  const router = readFileSync(join(shipped, 'doorstep-router.conf'), 'utf8')
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${ports.main}`)
    .replaceAll('127.0.0.1:8082', `127.0.0.1:${ports.eu}`)
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${ports.router} ssl`)
    .replaceAll('listen 80', `listen 127.0.0.1:${await findClosedPort()}`)
    .replaceAll(/(https:\/\/\w+\.doorstep\.example);/g, `$1:${ports.router};`)
    .replaceAll('/etc/ssl/doorstep.pem', certificateFile)
    .replaceAll('/etc/ssl/doorstep.key', keyFile)
  writeFileSync(join(folder, 'doorstep', 'doorstep-router.conf'), router)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    settings,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/errors;
events {}
http { access_log off; ${temporary.join(' ')} include doorstep/doorstep-router.conf; }
`,
  )
  writeFileSync(shopsFile, shops.join('\n'))
  const { status, stderr } = spawnSync(program, ['-t', '-p', folder, '-c', settings], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const child = spawn(program, ['-p', folder, '-c', settings], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  cleanup(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const ca = readFileSync(certificateFile)
  const call = (host: string, path: string, options: RouterCall = {}) =>
    send({ port: ports.router, ca }, host, path, options)
  await until(() => call('doorstep.example', '/healthz').catch(() => undefined))
  return {
    port: ports.router,
    call,
    setShops(lines) {
      writeFileSync(shopsFile, lines.join('\n'))
      child.kill('SIGHUP')
    },
  }
}

/** Names of hosts are sent, not looked up. */
function send(
  { port, ca }: { port: number; ca: Buffer },
  host: string,
  path: string,
  options: RouterCall,
): Promise<RouterReply> {
  const { method = 'GET', body, headOnly = false } = options
  const headers = { host: `${host}:${port}`, ...options.headers }
  return new Promise((resolve, reject) => {
    const target = {
      host: '127.0.0.1',
      port,
      path,
      method,
      headers,
      ca,
      servername: 'localhost',
      agent: false as const,
    }
    request(target, (response) => {
      const reply = { status: response.statusCode ?? 0, headers: response.headers }
      if (headOnly) {
        resolve({ ...reply, text: '' })
        response.destroy()
        return
      }
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ ...reply, text }))
    })
      .on('error', reject)
      .end(body)
  })
}
