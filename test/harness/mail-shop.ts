import type { Service } from '../../src/service.ts'
import { type MailServer, mailUser, startMailServer } from './mail-server.ts'
import { makeShop, type TestShop } from './shop.ts'

/** An account of a mail server on loopback, as PUT /keys/smtp takes it. */
export function accountAt({ host, port }: Pick<MailServer, 'host' | 'port'>, fields: Record<string, unknown> = {}) {
  return {
    host,
    port,
    security: 'none',
    username: null,
    password: null,
    from_name: 'River & Pine',
    from_address: 'orders@river-and-pine.example',
    reply_to: 'help@river-and-pine.example',
    ...fields,
  }
}

/** The same with credentials, which the server of `startMailServer` checks. */
export function signedInAt(server: Pick<MailServer, 'host' | 'port'>) {
  return accountAt(server, mailUser)
}

/** A shop that has e-mail, day and night, and nothing else. */
export async function makeMailShop(service?: Service): Promise<{ made: TestShop; server: MailServer }> {
  const server = await startMailServer({ allowInsecureAuth: true })
  const made = await makeShop({}, service)
  const shop = made.as('admin')
  await shop.put('/keys/smtp', signedInAt(server))
  await shop.patch('/settings/mail', { quiet_hours: { enabled: false } })
  await shop.patch('/settings/triggers/smtp', { status: true })
  return { made, server }
}
