import { command } from '../frame/command.ts'
import { connectionOptions, shopOption } from '../frame/common-options.ts'
import { readUrl, settingOf } from '../frame/connection.ts'
import { UsageError } from '../frame/errors.ts'
import type { Io } from '../frame/io.ts'
import { readProfiles, writeProfiles } from '../frame/profiles.ts'
import { ask, isInteractive, readInput } from '../frame/prompt.ts'

export const login = command({
  name: 'login',
  summary: 'Save where your service is and your API key',
  details:
    'Asks for what is missing, checks it with the service, and saves it as a profile in a file that only you can read:\n' +
    '~/.config/doorstep/profiles.json. The last profile saved is the one that commands use; --profile uses another one.\n' +
    'If the input is not a terminal, the API key is read from it.',
  needs: 'nothing',
  options: { ...connectionOptions, ...shopOption },
  examples: [
    { line: 'login', says: 'Asks for the address, the user name and the API key' },
    { line: 'login --profile live --url https://doorstep.example', says: 'A second one, for "--profile live"' },
    { line: 'login --username admin < key.txt', says: 'In a script; the key does not appear in the process list' },
  ],
  async run({ io, options, connectTo, output }) {
    const name = options.profile ?? settingOf(io, 'DOORSTEP_PROFILE') ?? 'default'
    if (!/^[\w.-]{1,50}$/.test(name) || name === '__proto__') {
      throw new UsageError('The name of a profile has letters, digits, dots, hyphens and underscores only.')
    }
    const { profiles } = readProfiles(io)
    const known = profiles[name]
    const url = readUrl(
      options.url ??
        settingOf(io, 'DOORSTEP_URL') ??
        (await askFor(io, 'Address', known?.url ?? 'http://localhost:8080')),
      'option',
    )
    const username =
      options.username ??
      settingOf(io, 'DOORSTEP_USERNAME') ??
      (await askFor(io, 'User name', known?.username ?? 'admin'))
    const apiKey = options['api-key'] ?? settingOf(io, 'DOORSTEP_API_KEY') ?? (await readKey(io))
    if (apiKey === '') throw new UsageError('The API key is empty.')
    const client = connectTo({ url, username, apiKey, shop: undefined, profile: name, origins: noOrigins })
    const user = await client.get('/v1/session')
    const shop =
      options.shop ?? settingOf(io, 'DOORSTEP_SHOP') ?? (user.shops.length === 1 ? user.shops[0]?.slug : undefined)
    const profile = { url, username, api_key: apiKey, ...(shop ? { shop } : {}) }
    const path = writeProfiles(io, { current: name, profiles: { ...profiles, [name]: profile } })
    if (url.startsWith('http:') && !isLoopback(url)) {
      output.warn('Everybody on the way to the service can read the API key: use https.')
    }
    output.result(
      { profile: name, url, username, shop: shop ?? null, path },
      `Connected to ${url} as ${user.name || username}${shop ? `, shop ${shop}` : ''}.\nSaved as profile "${name}" in ${path}.`,
    )
  },
})

export const logout = command({
  name: 'logout',
  summary: 'Forget a saved API key',
  details: 'The key itself remains valid: "doorstep keys delete" ends it.',
  needs: 'nothing',
  options: { profile: connectionOptions.profile },
  examples: [
    { line: 'logout', says: 'The profile in use' },
    { line: 'logout --profile live', says: 'Another one' },
  ],
  async run({ io, options, output }) {
    const { current, profiles } = readProfiles(io)
    const name = options.profile ?? settingOf(io, 'DOORSTEP_PROFILE') ?? current
    if (!profiles[name]) throw new UsageError(`There is no profile "${name}".`, 'Nothing was removed.')
    const { [name]: _removed, ...others } = profiles
    const next = name === current ? (Object.keys(others)[0] ?? 'default') : current
    writeProfiles(io, { current: next, profiles: others })
    output.result({ removed: name, current: others[next] ? next : null }, `Removed profile "${name}".`)
  },
})

export const status = command({
  name: 'status',
  summary: 'Show which service, user and shop commands use',
  needs: 'service',
  options: shopOption,
  examples: [
    { line: 'status', says: 'Where each value comes from, and what your role is' },
    { line: 'status --profile live --json', says: 'Of another profile, for scripts' },
  ],
  async run({ client, connection, output }) {
    const user = await client.get('/v1/session')
    const { url, origins, shop, profile } = connection
    const roles = user.everywhere
      ? [`${user.everywhere} everywhere`]
      : user.shops.map((one) => `${one.role} in ${one.slug}`)
    const value = {
      url,
      username: user.username,
      role: user.everywhere,
      shops: user.shops,
      shop: shop ?? null,
      profile: profile ?? null,
      origins,
    }
    output.result(value, () =>
      output.fields([
        ['service', `${url} (${origins.url})`],
        ['user', `${user.username} (${origins.credentials})`],
        ['role', roles.join(', ')],
        ['shop', shop ? `${shop} (${origins.shop})` : 'not chosen'],
        ['profile', profile ?? 'none'],
      ]),
    )
  },
})

const noOrigins = { url: 'option', credentials: 'option', shop: undefined } as const

async function askFor(io: Io, what: string, usual: string): Promise<string> {
  if (!isInteractive(io)) return usual
  return (await ask(io, `${what} [${usual}]: `)) || usual
}

async function readKey(io: Io): Promise<string> {
  return isInteractive(io) ? ask(io, 'API key: ', { isSecret: true }) : (await readInput(io)).trim()
}

function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}
