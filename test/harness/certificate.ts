import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TlsFiles } from '../../src/http/tls.ts'
import { type Cleanup, makeFolder } from './process.ts'

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** A certificate of this machine that only its own key has signed. */
export function makeCertificate(cleanup?: Cleanup): TlsFiles {
  const folder = makeFolder(cleanup)
  const files = { certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  const { status, stderr } = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ...['-keyout', files.keyFile, '-out', files.certificateFile],
  ])
  expect(status, String(stderr)).toBe(0)
  return files
}
