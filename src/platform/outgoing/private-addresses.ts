import { BlockList, isIP } from 'node:net'

/**
 * Addresses that are not on the public internet: a merchant's webhook must not reach servers that only this machine or
 * its network can reach. The special-purpose registries of IANA, for both versions, and addresses that clouds reserve
 * for their machines.
 */
const blockedIpv4 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Alibaba's metadata service among them.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Public by number, private by use: a cloud serves its own machines here, in part with their secrets.
  // IBM Cloud's service networks, and Azure's wire server.
  ['161.26.0.0', 16],
  ['166.8.0.0', 14],
  ['168.63.129.16', 32],
  // The metadata service of nearly every cloud.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  // Oracle's old metadata service among them.
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  blockedIpv4.addSubnet(network, prefix, 'ipv4')
}
// A list of its own: the first would look for IPv4 addresses among these too, in their mapped form.
const blockedIpv6 = new BlockList()
for (const [network, prefix] of [
  // Of the whole space only 2000::/3 is assigned; an address that leads to an IPv4 address is checked as that one.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
] as const) {
  blockedIpv6.addSubnet(network, prefix, 'ipv6')
}

/** Whether an address must not be called. Text that is not an address must not either. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').split('%')[0] ?? ''
  const version = isIP(bare)
  if (version === 4) return blockedIpv4.check(bare, 'ipv4')
  if (version !== 6) return true
  const embedded = embeddedIpv4(bare)
  return embedded === undefined ? blockedIpv6.check(bare, 'ipv6') : blockedIpv4.check(embedded, 'ipv4')
}

/** The IPv4 address inside an IPv6 one that leads to it: mapped, compatible, NAT64 (64:ff9b::/96), 6to4 (2002::/16), ISATAP. */
function embeddedIpv4(address: string): string | undefined {
  const groups = expand(address)
  const high = groups.slice(0, 6)
  const isMapped = high.slice(0, 5).every((group) => group === 0) && (high[5] === 0xffff || high[5] === 0)
  const isNat64 = high[0] === 0x64 && high[1] === 0xff9b && high.slice(2).every((group) => group === 0)
  // Any prefix may have ISATAP hosts: the interface names the IPv4 address, whose local bit is set where it is public.
  const isIsatap = ((high[4] ?? 0) & ~0x0200) === 0 && high[5] === 0x5efe
  if (isMapped || isNat64 || isIsatap) return dotted(groups[6] ?? 0, groups[7] ?? 0)
  if (high[0] === 0x2002) return dotted(groups[1] ?? 0, groups[2] ?? 0)
  return undefined
}

function expand(address: string): number[] {
  const withHex = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_text, ...[a, b, c, d]) => {
    const hex = (high: string, low: string) => ((Number(high) << 8) | Number(low)).toString(16)
    return `${hex(a, b)}:${hex(c, d)}`
  })
  const [head = '', tail] = withHex.split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const left = parse(head)
  if (tail === undefined) return left
  const right = parse(tail)
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}
