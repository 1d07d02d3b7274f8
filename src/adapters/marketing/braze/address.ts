/** The dashboard shows `https://rest.iad-01.braze.com`; merchants also copy it without the scheme. */
export function originOf(restEndpoint: string | null | undefined): string | undefined {
  const text = restEndpoint?.trim() ?? ''
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  return text !== '' && URL.canParse(address) ? new URL(address).origin : undefined
}
