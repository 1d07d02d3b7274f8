import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { expect } from 'vitest'
import type { TlsFiles } from '../../src/http/tls.ts'
import { findClosedPort } from './loopback.ts'

const program = '/usr/sbin/postfix'

/** Debian's postfix. It changes users, so it needs root. */
export const hasPostfix = existsSync(program) && process.getuid?.() === 0

export interface Postfix {
  host: string
  port: number
  /** The mailbox of maria@customer.example, in the order of delivery. */
  inbox(): Promise<ParsedMail[]>
  stop(): void
}

/**
 * A mail server of its own on a free port, with one mailbox. It defers mail for later@customer.example, rejects any other
 * recipient of that domain, takes messages of up to 100 KB and sends nothing on.
 */
export async function startPostfix({ certificateFile, keyFile }: TlsFiles): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-postfix-'))
  chmodSync(folder, 0o755)
  const { uid, gid } = userOf('postfix')
  for (const name of ['etc', 'spool', 'data', 'mail']) mkdirSync(join(folder, name), { mode: 0o755 })
  for (const name of ['data', 'mail']) chownSync(join(folder, name), uid, gid)
  const port = await findClosedPort()
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(folder, 'spool'),
    data_directory: join(folder, 'data'),
    maillog_file: join(folder, 'log'),
    maillog_file_prefixes: folder,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'mail.customer.example',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    default_transport: 'error:nothing is sent on',
    message_size_limit: '100000',
    virtual_mailbox_domains: 'customer.example',
    virtual_mailbox_base: join(folder, 'mail'),
    virtual_mailbox_maps: 'inline:{ {maria@customer.example = maria/} {later@customer.example = later/} }',
    virtual_minimum_uid: '1',
    virtual_uid_maps: `static:${uid}`,
    virtual_gid_maps: `static:${gid}`,
    smtpd_recipient_restrictions:
      'check_recipient_access inline:{ {later@customer.example = DEFER try again later} }, reject_unauth_destination, reject_unlisted_recipient',
    smtpd_tls_security_level: 'may',
    smtpd_tls_cert_file: certificateFile,
    smtpd_tls_key_file: keyFile,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  await writeFile(join(folder, 'etc/main.cf'), lines.join(''))
  await writeFile(join(folder, 'etc/master.cf'), services(port))
  const control = (word: string) => spawnSync(program, ['-c', join(folder, 'etc'), word], { encoding: 'utf8' })
  const started = control('start')
  expect(started.status, started.stderr).toBe(0)
  const mailbox = join(folder, 'mail/maria/new')
  return {
    host: '127.0.0.1',
    port,
    async inbox() {
      if (!existsSync(mailbox)) return []
      const mails = readdirSync(mailbox).map((file) => readFileSync(join(mailbox, file)))
      return Promise.all(mails.map((mail) => simpleParser(mail)))
    },
    stop() {
      control('stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function userOf(name: string): { uid: number; gid: number } {
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout.trim()),
  )
  return { uid: uid ?? 0, gid: gid ?? 0 }
}

/** The processes that receive mail and put it into a mailbox, none of them in a chroot. */
function services(port: number): string {
  return [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    ...['error', 'anvil', 'proxymap'].map((name) => `${name} unix - - n - - ${name}`),
    // It writes as the owner of the mailbox.
    'virtual unix - n n - - virtual',
    'cleanup unix n - n - 0 cleanup',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n')
}
