import { type Client, createClient } from 'doorstep-client'
import { CliError, UsageError } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import type { Value } from './option.ts'
import type { Output } from './output.ts'
import { type Profile, readProfiles } from './profiles.ts'
import { didYouMean } from './suggest.ts'

export type Origin = 'option' | 'environment' | 'profile' | 'default'

/** The address of the service, its caller, and the source of each. */
export interface Connection {
  url: string
  username: string | undefined
  apiKey: string | undefined
  shop: string | undefined
  profile: string | undefined
  origins: { url: Origin; credentials: Origin | undefined; shop: Origin | undefined }
}

const defaultUrl = 'http://localhost:8080'

/** Options come first, then the environment, then the profile. */
export function findConnection(io: Io, options: Record<string, Value>): Connection {
  const given = (name: string): string | undefined => (typeof options[name] === 'string' ? options[name] : undefined)
  const env = (name: string): string | undefined => settingOf(io, name)
  const [profileName, profile] = findProfile(io, given('profile') ?? env('DOORSTEP_PROFILE'))
  const [url, urlOrigin] = first(defaultUrl, given('url'), env('DOORSTEP_URL'), profile?.url)
  const address = readUrl(url, urlOrigin)
  // The key of one service is never sent to another one.
  const own = profile && readUrl(profile.url, 'profile') === address ? profile : undefined
  const [username, usernameOrigin] = first(undefined, given('username'), env('DOORSTEP_USERNAME'), own?.username)
  const [apiKey, keyOrigin] = first(undefined, given('api-key'), env('DOORSTEP_API_KEY'), own?.api_key)
  const [shop, shopOrigin] = first(undefined, given('shop'), env('DOORSTEP_SHOP'), own?.shop)
  return {
    url: address,
    username,
    apiKey,
    shop,
    profile: profileName,
    origins: {
      url: urlOrigin,
      credentials: username === undefined || apiKey === undefined ? undefined : (keyOrigin ?? usernameOrigin),
      shop: shop === undefined ? undefined : shopOrigin,
    },
  }
}

/** A variable of the environment; an empty one is none. */
export function settingOf({ env }: Io, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

/** Parts of a request that the service ignores or leaves out are shown as warnings. */
export function connect(io: Io, { url, username, apiKey }: Connection, output: Output): Client {
  if (username === undefined || apiKey === undefined) {
    const missing = [username ? [] : 'user name', apiKey ? [] : 'API key'].flat().join(' and ')
    throw new CliError(`No ${missing} for ${url}.`, {
      exitCode: exitCodes.notAllowed,
      hint: 'Run "doorstep login", or set DOORSTEP_USERNAME and DOORSTEP_API_KEY.',
    })
  }
  return createClient({
    baseUrl: url,
    credentials: { username, apiKey },
    ...(io.fetch ? { fetch: io.fetch } : {}),
    onWarnings(warnings, count) {
      for (const { loc, msg } of warnings) output.warn(`${loc.join('.')}: ${msg}`)
      if (warnings.length === 0) output.warn(`The service left out or ignored parts of the request: ${count}.`)
    },
  })
}

/** The shop that was named, or the only one there is. */
export async function findShop(client: Client, { shop }: Connection): Promise<string> {
  if (shop !== undefined) return shop
  const { items } = await client.list('/v1/shops', { params: { query: { per_page: 10 } } })
  const [only, another] = items
  if (only && !another) return only.slug
  if (!only)
    throw new CliError('There is no shop yet.', { hint: 'Create one: doorstep shops create --name "River & Pine"' })
  const slugs = items.map(({ slug }) => slug)
  throw new UsageError('Name the shop with --shop or DOORSTEP_SHOP.', `There are several: ${slugs.join(', ')}`)
}

function findProfile(io: Io, name: string | undefined): [name: string | undefined, profile: Profile | undefined] {
  const { current, profiles } = readProfiles(io)
  const chosen = name ?? current
  const profile = profiles[chosen]
  if (profile) return [chosen, profile]
  if (name === undefined) return [undefined, undefined]
  const known = Object.keys(profiles)
  throw new UsageError(
    `There is no profile "${name}".`,
    didYouMean(name, known) ?? `"doorstep login --profile ${name}" creates it.`,
  )
}

export function readUrl(text: string, origin: Origin): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    const name =
      origin === 'environment' ? 'DOORSTEP_URL' : origin === 'profile' ? 'The address of the profile' : '--url'
    throw new UsageError(`${name} must be an address such as https://doorstep.example, not "${text}".`)
  }
  return `${url.origin}${url.pathname}`.replace(/\/$/, '')
}

function first<Default>(
  fallback: Default,
  option: string | undefined,
  environment: string | undefined,
  profile: string | undefined,
): [string | Default, Origin] {
  if (option !== undefined) return [option, 'option']
  if (environment !== undefined) return [environment, 'environment']
  if (profile !== undefined) return [profile, 'profile']
  return [fallback, 'default']
}
