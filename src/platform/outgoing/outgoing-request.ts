export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** A caller that uses the same address many times parses it once. */
  url: string | URL
  headers: Record<string, string>
  body?: string | Uint8Array
  /** From connecting to the end of the response. */
  limitMs: number
  /** Bytes of the response body that are read. */
  maxBodyBytes: number
  /** Bypasses the proxy, if there is one. */
  isDirect?: boolean | undefined
}

export interface OutgoingResponse {
  status: number
  headers: Record<string, string | undefined>
  body: string
}
