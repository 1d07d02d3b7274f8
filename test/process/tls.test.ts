import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createServerFactory } from '../../src/http/tls.ts'
import type { Service } from '../../src/service.ts'
import { hasOpenssl, makeCertificate } from '../harness/certificate.ts'
import { within } from '../harness/patience.ts'
import { type Cleanup, makeStore, openSocket, type RunningProcess, sharedByTests, start } from '../harness/process.ts'
import { call, startNode, theService } from '../harness/service.ts'

describe.skipIf(!hasOpenssl)('HTTPS with a local certificate (needs openssl)', () => {
  const shared = sharedByTests(startWithCertificate)

  it('serves HTTPS, and redirects plain HTTP on the same port to it', async () => {
    const { service, certificate } = shared()
    expect(service.output()).toContain(`running at https://localhost:${service.port}`)
    expect(await getSecurely(service, certificate, '/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' })
    const plain = await fetch(`http://127.0.0.1:${service.port}/v1/shops?page=2`, { redirect: 'manual' })
    expect(plain.status).toBe(308)
    expect(plain.headers.get('location')).toBe(`https://127.0.0.1:${service.port}/v1/shops?page=2`)
  })

  it('stops without waiting for idle connections', async () => {
    const { service, certificate } = shared()
    await openSocket(service.port)
    const waiting = connect({ port: service.port, host: '127.0.0.1', ca: certificate, servername: 'localhost' })
    waiting.on('error', () => {})
    waiting.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise((resolve) => waiting.once('data', resolve))
    service.child.kill('SIGTERM')
    expect(await within(service.ended)).toEqual({ code: 0, signal: null })
  })
})

describe.skipIf(!hasOpenssl)('idle TLS connection (needs openssl)', () => {
  it('is closed before its handshake, during it, and after a request', async () => {
    const { certificateFile, keyFile } = makeCertificate()
    const factory = createServerFactory({ certificateFile, keyFile }, undefined, 500)
    const server = factory((_request, response) => void response.end('ok'), { keepAliveTimeout: 500 })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number } // it listens on a port
    const silent = await openSocket(port)
    const halfway = await openSocket(port)
    halfway.write(Buffer.from([22, 3, 1]))
    const idle = connect({ port, host: '127.0.0.1', ca: readFileSync(certificateFile), servername: 'localhost' })
    idle.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const closed = [silent, halfway, idle].map(
      (socket) => new Promise((resolve) => socket.resume().once('close', resolve)),
    )
    expect(await Promise.all(closed)).toHaveLength(3)
  })
})

describe('HTTPS behind a proxy', () => {
  const get = (headers: Record<string, string>, service: Service) =>
    call('GET', '/healthz?a=b', { auth: null, headers }, service)

  it('redirects what reached a trusted proxy unencrypted to the encrypted address', async () => {
    const service = await startNode({ TRUST_PROXY: '1' })
    onTestFinished(() => service.stop())
    const redirected = await get({ 'x-forwarded-proto': 'http', 'x-forwarded-host': 'api.shop.example' }, service)
    expect(redirected.status).toBe(308)
    expect(redirected.headers.location).toBe('https://doorstep.example/healthz?a=b')
    expect((await get({ 'x-forwarded-proto': 'https' }, service)).status).toBe(200)
    expect((await get({}, service)).status).toBe(200)
  })

  it('ignores the header when no proxy is trusted', async () => {
    expect((await get({ 'x-forwarded-proto': 'http' }, await theService())).status).toBe(200)
  })
})

async function startWithCertificate(cleanup: Cleanup): Promise<{ service: RunningProcess; certificate: Buffer }> {
  const { certificateFile, keyFile } = makeCertificate(cleanup)
  const settings = { DATA_DIR: await makeStore(cleanup), TLS_CERT: certificateFile, TLS_KEY: keyFile }
  return {
    service: await start(settings, { cleanup }),
    certificate: readFileSync(certificateFile),
  }
}

/** Checks the certificate, as a client would. */
function getSecurely(service: RunningProcess, ca: Buffer, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: service.port, path, ca, servername: 'localhost', agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .on('error', reject)
      .end()
  })
}
