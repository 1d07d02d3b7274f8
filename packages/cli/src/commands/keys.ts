import type { Schemas } from 'doorstep-client'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/errors.ts'
import { confirm, yesOption } from '../frame/prompt.ts'
import { shortTime } from '../frame/streams.ts'

const secondsPerDay = 86_400

export const keysList = command({
  name: 'keys list',
  summary: 'List the API keys of a shop',
  needs: 'shop',
  examples: [
    { line: 'keys list', says: 'With their roles, when they expire and when they were last used' },
    { line: 'keys list --shop river-and-pine --json', says: 'Of another shop, for scripts' },
  ],
  async run({ client, shop, output }) {
    const { tokens } = await client.get('/v1/shops/{slug}/api-keys', { params: { path: { slug: shop } } })
    output.result(tokens, () =>
      tokens.length === 0
        ? 'This shop has no API keys. Create one: doorstep keys create --role editor'
        : output.table(
            ['ID', 'USER NAME', 'ROLE', 'EXPIRES', 'LAST USED'],
            tokens.map((key) => [
              key.id,
              key.username,
              rolesOf(key),
              expiryOf(key),
              key.last_used_at ? shortTime(key.last_used_at) : 'never',
            ]),
          ),
    )
  },
})

export const keysCreate = command({
  name: 'keys create',
  summary: 'Create an API key of a shop',
  details:
    'The key is shown once. Anybody who has it can act in the role: viewers read, editors also write, admins manage.',
  needs: 'shop',
  options: {
    role: {
      type: 'string',
      value: 'ROLE',
      summary: 'What it may do',
      choices: ['viewer', 'editor', 'admin'],
      default: 'viewer',
    },
    'user-name': { type: 'string', value: 'NAME', summary: 'Its user name; otherwise that of the shop' },
    'expires-in-days': {
      type: 'number',
      value: 'DAYS',
      summary: 'How long it is valid; otherwise until it is deleted',
    },
  },
  examples: [
    { line: 'keys create --role editor', says: 'For a shop system that sends orders' },
    { line: 'keys create --role viewer --expires-in-days 30 --json', says: 'For a report, and only for a month' },
  ],
  async run({ client, shop, options, io, output }) {
    const days = options['expires-in-days']
    if (days === 0) throw new UsageError('--expires-in-days must be at least 1.')
    const key = await client.post('/v1/shops/{slug}/api-keys', {
      params: { path: { slug: shop } },
      body: {
        role: options.role,
        ...(options['user-name'] ? { username: options['user-name'] } : {}),
        ...(days ? { expiration: Math.floor(io.now().getTime() / 1_000) + days * secondsPerDay } : {}),
      },
    })
    output.result(key, () =>
      output.fields([
        ['user name', key.username],
        ['API key', key.secret],
        ['role', rolesOf(key)],
        ['expires', expiryOf(key)],
        ['id', key.id],
      ]),
    )
    output.note('\nThis is the only time that the key is shown.')
  },
})

export const keysDelete = command({
  name: 'keys delete',
  summary: 'Delete an API key of a shop',
  details: 'Requests with this key are rejected within a second.',
  needs: 'shop',
  arguments: [{ name: 'id', summary: 'the id of the key, as "doorstep keys list" shows it' }],
  options: yesOption,
  examples: [{ line: 'keys delete 0192f0c1 --yes', says: 'Without asking first' }],
  async run({ client, shop, arguments: { id }, options, io, output }) {
    await confirm(io, `Delete the API key ${id} of ${shop}?`, options.yes)
    const deleted = await client.delete('/v1/shops/{slug}/api-keys/{token_id}', {
      params: { path: { slug: shop, token_id: id } },
    })
    output.result(deleted, `Deleted the API key ${id}.`)
  },
})

type Key = Pick<Schemas['ApiKeyList']['tokens'][number], 'shops' | 'expiration'>

function rolesOf({ shops }: Key): string {
  return shops.map(({ shop_slug, role }) => (shop_slug === '*' ? `${role} of all shops` : role)).join(', ')
}

function expiryOf({ expiration }: Key): string {
  return expiration === 0 ? 'never' : shortTime(new Date(expiration * 1_000).toISOString())
}
