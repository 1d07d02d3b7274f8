/** One HTTP exchange, with a time limit and a size limit set by who lends it. Throws where there was no answer. */
export type Call = (request: CallRequest) => Promise<CallAnswer>

export interface CallRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string
  /** Which kind of call it is, where the other side limits some kinds more than others. */
  kind?: string
}

export interface CallAnswer {
  status: number
  headers: Record<string, string | undefined>
  body: string
}

const longestDetail = 300

/** What a server answered, in one line for people. */
export function describeAnswer(server: string, { status, body }: CallAnswer): string {
  const said = body.replaceAll(/\s+/g, ' ').trim()
  const shown = said.length > longestDetail ? `${said.slice(0, longestDetail - 1)}…` : said
  return `${server} answered ${status}${shown === '' ? '.' : `: ${shown}`}`
}
