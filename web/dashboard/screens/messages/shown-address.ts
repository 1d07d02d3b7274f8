/** Of a shorter path, its end would be most of a token. */
const minPathLength = 24

/** The address of an endpoint as people see it: its path may be a token of the receiver. The end tells long ones apart. */
export function shownAddress(url: string): string {
  if (!URL.canParse(url)) return '***'
  const { origin, href } = new URL(url)
  if (href === `${origin}/`) return origin
  return `${origin}/***${href.length - origin.length > minPathLength ? href.slice(-4) : ''}`
}
