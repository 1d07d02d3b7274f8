/** One HTTP exchange, with a limit of time and size. Throws if there was no response. */
export type Call = (request: CallRequest) => Promise<CallResponse>

export interface CallRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string
  /** The kind of call, if the other side has a limit for each kind. */
  kind?: string
}

export interface CallResponse {
  status: number
  headers: Record<string, string | undefined>
  body: string
}

const longestDetail = 300

/** A server's response, in one line for people. */
export function describeResponse(server: string, { status, body }: CallResponse): string {
  const said = body.replaceAll(/\s+/g, ' ').trim()
  const shown = said.length > longestDetail ? `${said.slice(0, longestDetail - 1)}…` : said
  return `${server} answered ${status}${shown === '' ? '.' : `: ${shown}`}`
}
