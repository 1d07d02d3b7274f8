/** Fields whose values are secrets, whatever record they are in. */
const secretName =
  /secret|password|passphrase|token|api_?key|credential|authorization|private_?key|totp|recovery_?code/i

const hidden = '****'

/** The value without secrets: of fields that are named like one, and in web addresses. */
export function maskSecrets(field: string, value: unknown): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value
  if (secretName.test(field)) return typeof value === 'string' && value.startsWith(hidden) ? value : hidden
  if (typeof value === 'string') return maskAddress(value)
  if (Array.isArray(value)) return value.map((item) => maskSecrets(field, item))
  if (value instanceof Date) return value.toISOString()
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [name, maskSecrets(name, inner)]), // no other type is left
  )
}

/** A web address without its user name, its password and without the values of parameters that are named like secrets. */
function maskAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  const secrets = [...new Set(url.searchParams.keys())].filter((name) => isSecretParameter(name))
  if (url.username === '' && url.password === '' && secrets.length === 0) return text
  if (url.username !== '') url.username = hidden
  if (url.password !== '') url.password = hidden
  for (const name of secrets) url.searchParams.set(name, hidden)
  return url.href
}

function isSecretParameter(name: string): boolean {
  return secretName.test(name) || /^(?:key|sig|signature|auth|code)$/i.test(name)
}
