import { BlockList, isIP } from 'node:net'

/** The proxies whose X-Forwarded-* headers are trusted: a number of hops, or those in these networks. */
export type TrustedProxies = { hops: number } | { networks: string[] }

/** Whether the peer that is this many hops away from us is a trusted proxy. */
export type IsTrustedProxy = (address: string, hop: number) => boolean

const offWords = ['off', 'false', 'no', '0']
/** One proxy before us: the header's last entry, which that proxy wrote, is the client. */
const onWords = ['on', 'true', 'yes']
const maxHops = 16

const named: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** `off`, `on`, a number of proxies, or networks; undefined if no proxy is trusted; throws for anything else. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  const word = text.trim().toLowerCase()
  if (offWords.includes(word)) return undefined
  if (onWords.includes(word)) return { hops: 1 }
  if (/^\d+$/.test(word) && Number(word) <= maxHops) return { hops: Number(word) }
  const networks = word.split(',').flatMap((entry) => named[entry.trim()] ?? [entry.trim()])
  if (networks.every(isNetwork)) return { networks }
  throw new RangeError(
    `must be off, on (one proxy), a number of proxies up to ${maxHops}, or networks such as 10.0.0.0/8,loopback`,
  )
}

export function trustOf(trusted: TrustedProxies): IsTrustedProxy {
  if ('hops' in trusted) return (_address, hop) => hop < trusted.hops
  const list = new BlockList()
  for (const network of trusted.networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, prefix === undefined ? widthOf(address) : Number(prefix), family)
  }
  return (address) => {
    // A socket that listens for both versions shows an IPv4 peer in its mapped form.
    const bare = address.replace(/^::ffff:(?=\d+\.)/i, '')
    const version = isIP(bare)
    return version !== 0 && list.check(bare, version === 6 ? 'ipv6' : 'ipv4')
  }
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (isIP(address) === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  // A prefix of 0 would trust every address.
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= widthOf(address)
}

function widthOf(address: string): number {
  return isIP(address) === 6 ? 128 : 32
}
