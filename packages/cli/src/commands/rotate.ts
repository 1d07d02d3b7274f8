import type { Client, Schemas } from 'doorstep-client'
import { command } from '../frame/command.ts'
import { CliError } from '../frame/errors.ts'
import type { Output } from '../frame/output.ts'
import { Progress } from '../frame/progress.ts'
import { confirm, yesOption } from '../frame/prompt.ts'

/** A pass leaves out rows that somebody is changing at that moment. */
const maxPasses = 10

export const rotateKeys = command({
  name: 'rotate-keys',
  summary: 'Encrypt the secrets of the store with the first encryption key',
  details:
    'The service has to run. First put a new key in front of ENCRYPTION_KEY and restart every node; with --new-key the service\n' +
    'makes one itself, if its keys are in DATA_DIR. Then this command encrypts everything with it, in batches, while the service\n' +
    'works. It can be stopped and started again. When --check finds nothing left, the former key can be removed.',
  needs: 'service',
  options: {
    check: { type: 'boolean', summary: 'Only say how many values still need a former key' },
    'new-key': { type: 'boolean', summary: 'Make a new key in DATA_DIR first; for the embedded store' },
    'batch-size': { type: 'number', value: 'COUNT', summary: 'Values per batch', default: 200 },
  },
  examples: [
    { line: 'rotate-keys --check', says: 'Which keys are in use; exits with 1 while a former one is' },
    { line: 'rotate-keys', says: 'After a new key was put in front of ENCRYPTION_KEY' },
    { line: 'rotate-keys --new-key', says: 'On the embedded store, which keeps its own keys' },
  ],
  async run({ client, options, output, io, signal }) {
    if (options.check) {
      const state = await client.get('/v1/encryption')
      showState(output, state)
      return state.outdated_values === 0 ? 0 : 1
    }
    if (options['new-key']) await client.post('/v1/encryption/keys', {})
    const progress = new Progress(io)
    let state = await client.get('/v1/encryption')
    const total = state.outdated_values
    let done = 0
    for (let pass = 0; pass < maxPasses && (pass === 0 || state.outdated_values > 0); pass += 1) {
      done += await reencryptAll(client, options['batch-size'] ?? 200, signal, (count) =>
        progress.show(done + count, total, `${done + count} of ${total} values`),
      )
      state = await client.get('/v1/encryption')
      if (state.keys.some(({ is_missing }) => is_missing)) break
    }
    progress.end()
    showState(output, state, done)
    if (state.outdated_values > 0) {
      throw new CliError(`${state.outdated_values} values could not be encrypted with the current key.`)
    }
    return 0
  },
})

export const rotatePageLinks = command({
  name: 'rotate-page-links',
  summary: 'Sign links to tracking pages with a new key',
  details: 'Links that customers have been sent before work for as many days as you say.',
  needs: 'service',
  options: {
    ...yesOption,
    'former-valid-days': { type: 'number', value: 'DAYS', summary: 'How long links from before work', default: 90 },
  },
  examples: [
    { line: 'rotate-page-links --former-valid-days 180', says: 'Links from before work for half a year' },
    { line: 'rotate-page-links --former-valid-days 0 --yes', says: 'After a leak: they stop working in two minutes' },
  ],
  async run({ client, options, io, output }) {
    const days = options['former-valid-days'] ?? 90
    await confirm(io, `Sign links with a new key? Those from before work for ${days} days.`, options.yes)
    const list = await client.post('/v1/signing-keys/rotate', { body: { former_valid_days: days } })
    output.result(list, `New links are signed with the key ${list.keys[0]?.id} in a minute.`)
  },
})

const formerHours = {
  type: 'number',
  value: 'HOURS',
  summary: 'How long the former one is accepted',
  default: 24,
} as const

export const rotateInboundSecret = command({
  name: 'rotate-inbound-secret',
  summary: 'Change the secret that a shop system and mail provider sign with',
  details:
    'The new secret is shown. Enter it in the shop system and at the mail provider while the former one is accepted.',
  needs: 'shop',
  options: { ...yesOption, 'former-valid-hours': formerHours },
  examples: [
    { line: 'rotate-inbound-secret --former-valid-hours 72', says: 'The former one is accepted for three days' },
  ],
  async run({ client, shop, options, io, output }) {
    const hours = options['former-valid-hours'] ?? 24
    await confirm(io, `Change the secret of ${shop}? The former one is accepted for ${hours} hours.`, options.yes)
    const config = await client.post('/v1/shops/{slug}/woocommerce/webhook-config/rotate-secret', {
      params: { path: { slug: shop } },
      body: { former_valid_hours: hours },
    })
    output.result(config, () => output.fields([['secret', config.webhook_secret]]))
  },
})

export const rotateAdminKey = command({
  name: 'rotate-admin-key',
  summary: "Change the superadmin's API key",
  details: 'The new key is shown once. If ADMIN_API_KEY is set, change it there and restart instead.',
  needs: 'service',
  options: { ...yesOption, 'former-valid-hours': formerHours },
  examples: [{ line: 'rotate-admin-key --former-valid-hours 0', says: 'After a leak: the former key stops at once' }],
  async run({ client, options, io, output }) {
    const hours = options['former-valid-hours'] ?? 24
    await confirm(io, `Change the superadmin's key? The former one works for ${hours} hours.`, options.yes)
    const key = await client.post('/v1/api-keys/superadmin/rotate', { body: { former_valid_hours: hours } })
    output.result(key, () =>
      output.fields([
        ['user name', key.username],
        ['API key', key.secret],
      ]),
    )
    output.note('\nThis is the only time that the key is shown.')
  },
})

/** One pass over the whole store; returns how many values were encrypted again. */
async function reencryptAll(
  client: Client,
  limit: number,
  signal: AbortSignal,
  show: (count: number) => void,
): Promise<number> {
  let count = 0
  let next: string | null = null
  do {
    signal.throwIfAborted()
    const batch: Schemas['Reencryption'] = await client.post('/v1/encryption/re-encrypt', {
      body: { limit, ...(next === null ? {} : { after: next }) },
    })
    count += batch.re_encrypted
    next = batch.next
    show(count)
  } while (next !== null)
  return count
}

function showState(output: Output, state: Schemas['EncryptionState'], reencrypted?: number): void {
  const rows = state.keys.map(({ id, is_current, is_missing, values, columns }) => [
    id,
    is_current ? 'encrypts' : is_missing ? 'missing' : 'decrypts',
    String(values),
    columns.map(({ column, values }) => `${column} ${values}`).join(', '),
  ])
  const verdict =
    state.outdated_values === 0
      ? 'Everything is encrypted with the first key: the others can be removed.'
      : `${state.outdated_values} values still need a former key: do not remove it.`
  const done = reencrypted === undefined ? '' : `Encrypted ${reencrypted} values again. `
  output.result(state, () => `${output.table(['KEY', 'USE', 'VALUES', 'WHERE'], rows)}\n\n${done}${verdict}`)
}
