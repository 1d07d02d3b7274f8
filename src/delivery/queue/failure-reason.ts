/** Reasons why an attempt failed, as keys of the texts for people. */
export const failureReasons = [
  'dns',
  'private_address',
  'refused',
  'unreachable',
  'tls',
  'timeout',
  'interrupted',
  'redirect',
  'unauthorized',
  'not_found',
  'rate_limited',
  'rejected',
  'server_error',
  'endpoint_deleted',
  'no_credentials',
  'not_sent',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** The fields of the log about an attempt's end. */
interface AttemptEnd {
  stage: string | null
  statusCode: number | null
  error: string | null
}

/** Undefined if the attempt did not fail. */
export function failureReasonOf({ stage, statusCode, error }: AttemptEnd): FailureReason | undefined {
  switch (stage) {
    case null:
      return error === null ? undefined : unsentReasonOf(error)
    case 'resolve':
      return 'dns'
    case 'connect':
      return connectReasonOf(error ?? '')
    case 'tls':
      return 'tls'
    case 'timeout':
      return 'timeout'
    case 'status':
      return statusReasonOf(statusCode ?? 0, error)
    default:
      return 'interrupted'
  }
}

/**
 * The error has the words of `private-addresses` or a code of the system; it is empty for callers who may not see it.
 */
function connectReasonOf(error: string): FailureReason {
  if (error.includes('is a private address')) return 'private_address'
  return error.includes('ECONNREFUSED') ? 'refused' : 'unreachable'
}

/** An adapter's verdict about a response counts before its status: GraphQL reports failures with 200. */
function statusReasonOf(status: number, error: string | null): FailureReason {
  const ofMail = error === null ? undefined : mailReasons[error]
  if (ofMail) return ofMail
  if (error === 'partner_key_not_found') return status === 0 ? 'no_credentials' : 'unauthorized'
  if (error === 'partner_key_missing_permissions' || status === 401 || status === 403) return 'unauthorized'
  if (status === 429) return 'rate_limited'
  if (status >= 500 || error === 'bad_gateway') return 'server_error'
  if (status >= 300 && status < 400) return 'redirect'
  return status === 404 || status === 410 ? 'not_found' : 'rejected'
}

/** Reasons by the problem of a mail server: its codes look like those of HTTP and are others. */
const mailReasons: Record<string, FailureReason> = {
  unauthorised: 'unauthorized',
  busy: 'rate_limited',
  sender_rejected: 'rejected',
  recipient_rejected: 'rejected',
  message_rejected: 'rejected',
}

function unsentReasonOf(error: string): FailureReason {
  if (error === endpointDeleted) return 'endpoint_deleted'
  return error.startsWith(noCredentials) ? 'no_credentials' : 'not_sent'
}

/** Errors of attempts that were not made. */
export const endpointDeleted = 'the endpoint was deleted'
export const noCredentials = 'no credentials are set for'
