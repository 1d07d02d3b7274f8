import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether a service that listens at this host is reached from its own machine only. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[|\]$/g, '')
  const version = isIP(bare)
  if (version === 0) return bare === 'localhost'
  return loopback.check(bare, version === 6 ? 'ipv6' : 'ipv4')
}
