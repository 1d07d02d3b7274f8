/** A message as a reader with this colour scheme sees it, whatever the scheme of the one who looks at it here. */
export function inScheme(html: string, scheme: 'light' | 'dark'): string {
  return html.replaceAll(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/g, (_condition, named: string) =>
    named === scheme ? '(min-width: 0)' : '(max-width: 0)',
  )
}
