import { isIPv4 } from 'node:net'

/** The network that guesses are counted by: a client with one IPv6 network (/64) has as many addresses as it likes. */
export function networkOf(address: string): string {
  return address.includes(':') && !address.startsWith('::ffff:') ? groupsOf(address, 4) : address
}

/**
 * The wider network that shares of memory, connections and processor time are counted by: an IPv6 /48 or IPv4 /24. A customer
 * of a hosting company easily gets that many addresses, but few of such networks.
 */
export function wideNetworkOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(bare)) return bare.slice(0, bare.lastIndexOf('.'))
  return bare.includes(':') ? groupsOf(bare, 3) : bare
}

/** The first groups of an IPv6 address, each spelled in one way. */
function groupsOf(address: string, count: number): string {
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const first = head.split(':').filter(Boolean)
  const last = tail.split(':').filter(Boolean)
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0') : []
  return [...first, ...zeros, ...last]
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
