import { hasControlCharacters } from '../foundation/mail-address.ts'
import type { MailAccount } from './account.ts'
import { isMailAddress } from './addresses.ts'
import type { MailMessage } from './message.ts'

/** Headers that a message sets by its own fields. */
const reserved = new Set(
  'bcc cc content-transfer-encoding content-type date from in-reply-to message-id mime-version references reply-to return-path sender subject to'.split(
    ' ',
  ),
)

/** Why a message must not be sent as it is; undefined if it may. Nobody can add a header or a recipient by a line break. */
export function findFault(account: MailAccount, message: MailMessage): string | undefined {
  const { messageId, to, toName, subject, references, returnPath, headers } = message
  const addresses: [string, string | null][] = [
    ['recipient', to],
    ['sender', account.fromAddress],
    ['reply address', account.replyTo],
    ['return path', returnPath],
  ]
  for (const [name, address] of addresses) {
    if (address !== null && !isMailAddress(address)) return `the ${name} is not an e-mail address`
  }
  const texts: [string, string | null][] = [
    ['subject', subject],
    ["recipient's name", toName],
    ["sender's name", message.fromName ?? account.fromName],
  ]
  for (const [name, text] of texts) {
    if (text !== null && hasControlCharacters(text)) return `the ${name} has control characters`
  }
  if (![messageId, ...references].every((id) => /^[\w.+=-]+@[\p{L}\p{N}.-]+$/u.test(id)))
    return 'a message id is malformed'
  return findHeaderFault(headers)
}

function findHeaderFault(headers: MailMessage['headers']): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(name)) return 'the name of a header is malformed'
    if (reserved.has(name.toLowerCase())) return `the header ${name} cannot be set`
    if (hasControlCharacters(value)) return `the header ${name} has control characters`
  }
  return undefined
}
