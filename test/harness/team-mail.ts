import type { MailAccount } from '../../src/platform/mail/account.ts'
import type { Service } from '../../src/service.ts'
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts'
import { openTestDatabase, startTestService } from './service.ts'

export function accountOf({ host, port }: MailServer): MailAccount {
  return {
    host,
    port,
    security: 'none',
    username: null,
    password: null,
    fromName: 'Doorstep',
    fromAddress: 'team@doorstep.example',
    replyTo: null,
  }
}

export interface Office {
  service: Service
  server: MailServer
  /** Sends what is due, and returns what has arrived at this address. */
  inbox(email: string): Promise<ReceivedMail[]>
  close(): Promise<void>
}

/** A service whose installation has a mail account, and its mail server. */
export async function openOffice(): Promise<Office> {
  const server = await startMailServer()
  const service = await startTestService({}, await openTestDatabase(), { mailAccount: accountOf(server) })
  return {
    service,
    server,
    async inbox(email) {
      await service.workers?.teamMails.runDue()
      return server.mails.filter(({ envelope }) => envelope.to.includes(email))
    },
    async close() {
      await service.stop()
      await server.close()
    },
  }
}

/** The address of the first button. */
export function linkIn(mail: ReceivedMail | undefined): string {
  return /href="([^"]*#token=[^"]*)"/.exec(mail?.html || '')?.[1] ?? ''
}
