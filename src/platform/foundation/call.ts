import { cutText } from './storable-text.ts'

/** One HTTP exchange, with a limit of time and size. Throws if there was no response. */
export type Call = (request: CallRequest) => Promise<CallResponse>

export interface CallRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string
  /** The kind of call, if the other side has a limit for each kind. */
  kind?: string
  /** Bypasses the operator's proxy, if there is one. */
  isDirect?: boolean | undefined
}

export interface CallResponse {
  status: number
  headers: Record<string, string | undefined>
  body: string
}

const maxDetailLength = 300

/** A server's response, in one line for people. */
export function describeResponse(server: string, { status, body }: CallResponse): string {
  const text = body.replaceAll(/\s+/g, ' ').trim()
  const shown = text.length > maxDetailLength ? `${cutText(text, maxDetailLength - 1)}…` : text
  return `${server} returned ${status}${shown === '' ? '.' : `: ${shown}`}`
}
