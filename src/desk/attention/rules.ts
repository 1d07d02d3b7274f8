/** The last failure of a tracking provider in words, and what to do. Status 0: there was no response. */
export function describeFailure(status: number): string {
  if (status === 0) return 'It does not respond.'
  if (status === 401 || status === 403) return 'It rejects the credentials. Check them.'
  if (status === 429) return 'It limits the number of requests. Tracking continues more slowly.'
  if (status >= 500) return 'It has a problem of its own. It is tried again.'
  return `It rejects requests with status ${status}.`
}
