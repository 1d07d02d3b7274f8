/** An address of PostgreSQL, with one connection string for each of its hosts. */
export interface DatabaseAddress {
  hosts: { connectionString: string }[]
  /** `any`: a host is used without a check whether it accepts writes. */
  target: 'read-write' | 'any'
  /** The `options` of the address, which come after our own. */
  options: string
}

/** An address is wrong. The message quotes no part of it, because a part may be a password. */
export class AddressError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'AddressError'
  }
}

const targets = new Map<string, DatabaseAddress['target']>([
  ['read-write', 'read-write'],
  ['primary', 'read-write'],
  ['any', 'any'],
])

const maxHosts = 16

/**
 * Reads `postgres://user:password@one:5432,two:5433/database?target_session_attrs=read-write`, as libpq does; the driver
 * reads one host only. Everything but the hosts is passed on as it is.
 */
export function parseAddress(url: string): DatabaseAddress {
  const [, scheme, authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? []
  if (scheme === undefined) throw new AddressError('it must begin with postgres://')
  // A password may contain a comma, and an @ that is not encoded.
  const at = authority.lastIndexOf('@') + 1
  const user = authority.slice(0, at)
  const question = rest.indexOf('?')
  const path = question < 0 ? rest : rest.slice(0, question)
  const parameters = new URLSearchParams(question < 0 ? '' : rest.slice(question + 1))
  const target = targets.get(parameters.get('target_session_attrs') ?? 'read-write')
  if (target === undefined) throw new AddressError('target_session_attrs must be read-write, primary or any')
  const places = placesOf(authority.slice(at), parameters)
  const options = parameters.get('options') ?? ''
  for (const name of ['target_session_attrs', 'options', 'host', 'port']) parameters.delete(name)
  const hosts = places.map(({ host, port }) => {
    const own = new URLSearchParams(parameters)
    // A folder with a socket is no host name, and an empty one means the driver's default.
    const isFolder = host.startsWith('/') || /^%2f/i.test(host)
    if (isFolder) own.set('host', decodeURIComponent(host))
    if (isFolder && port !== '') own.set('port', port)
    const name = isFolder ? '' : `${host}${port === '' ? '' : `:${port}`}`
    const query = own.size > 0 ? `?${own}` : ''
    return { connectionString: check(`${scheme}${user}${name}${path === '' && query !== '' ? '/' : path}${query}`) }
  })
  return { hosts, target, options }
}

interface Place {
  /** In brackets if it is an IPv6 address. */
  host: string
  /** Empty: the default. */
  port: string
}

/** The hosts, from the address itself or from its parameters `host` and `port`. */
function placesOf(text: string, parameters: URLSearchParams): Place[] {
  const named = parameters.get('host')
  const ports = (parameters.get('port') ?? '').split(',')
  const places = named
    ? named.split(',').map((host) => ({ host: inBrackets(host), port: '' }))
    : text.split(',').map(readPlace)
  if (places.length > maxHosts) throw new AddressError(`it has more than ${maxHosts} hosts`)
  if (ports.length > 1 && ports.length !== places.length)
    throw new AddressError('it needs one port, or one for each host')
  return places.map(({ host, port }, index) => {
    const chosen = port === '' ? ((ports.length > 1 ? ports[index] : ports[0]) ?? '') : port
    if (host === '' && places.length > 1) throw new AddressError(`host ${index + 1} is empty`)
    if (chosen !== '' && !(/^\d{1,5}$/.test(chosen) && Number(chosen) > 0 && Number(chosen) < 65_536))
      throw new AddressError(`the port of host ${index + 1} must be a number up to 65535`)
    return { host, port: chosen }
  })
}

function readPlace(text: string, index: number): Place {
  const [, host, port = ''] = /^(\[[^\]]+\]|[^:[\]]*)(?::([^:]*))?$/.exec(text.trim()) ?? []
  if (host === undefined) throw new AddressError(`host ${index + 1} is not well formed; an IPv6 address needs brackets`)
  return { host, port }
}

function inBrackets(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/** The driver would report a malformed address with the address in the message. */
function check(connectionString: string): string {
  try {
    // The driver reads an address without a host in this way, too.
    new URL(connectionString.replace('@/', '@host/').replace(':///', '://host/'))
    return connectionString
  } catch {
    throw new AddressError('it is not well formed; characters such as / ? # in a password must be percent-encoded')
  }
}
