/** Light or dark, as chosen here; `auto` follows the system. */
export const schemes = ['auto', 'light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

const storageName = 'doorstep.scheme'

export function chosenScheme(): Scheme {
  const stored = localStorage.getItem(storageName)
  return schemes.find((scheme) => scheme === stored) ?? 'auto'
}

export function applyScheme(scheme: Scheme = chosenScheme()): void {
  localStorage.setItem(storageName, scheme)
  if (scheme === 'auto') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = scheme
}
