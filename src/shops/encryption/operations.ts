import { after, dayMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { randomText } from '../../platform/foundation/ids.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { readObject } from '../../platform/foundation/read-json.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { fingerprintOf } from '../../platform/foundation/vault.ts'
import { claimFact, putFact } from '../../platform/store/installation.ts'
import { sealedColumns } from '../../platform/store/sealed-columns.ts'
import { countSealed, type Position, resealBatch } from '../../platform/store/sealed-values.ts'
import { endSigningKeys, findSigningKeys, insertSigningKey } from '../../platform/store/signing-keys.ts'
import { recordChange } from '../audit-log/record.ts'
import { EncryptionState, Reencryption, ReencryptionRequest, SigningKeyList, SigningKeyRotation } from './schema.ts'

const area = 'Encryption'
const keysInUseFact = 'encryption_keys_in_use'

/** Every node knows a new signing key by then: it is announced, and read again every half minute. */
const signsAfterMs = minuteMs

export const getEncryption = operation({
  name: 'getEncryption',
  summary: 'Show which keys encrypt the secrets of the store',
  description:
    'Counts the encrypted values by key. A key that encrypts none and is not the current one can be removed.',
  area,
  route: 'GET /v1/encryption',
  needs: 'superadmin',
  reply: EncryptionState,
  handle: (context) => describe(context),
})

export const createEncryptionKey = operation({
  name: 'createEncryptionKey',
  summary: 'Make a new encryption key in the data folder',
  description:
    'It encrypts from now on; the former ones only decrypt. For the embedded store without ENCRYPTION_KEY: otherwise put a new key in front of that list, on every node.',
  area,
  route: 'POST /v1/encryption/keys',
  needs: 'superadmin',
  reply: EncryptionState,
  errors: ['invalid_payload'],
  audit: { kind: 'encryption_key', isAct: true, id: ({ services }) => services.vault.keyIds()[0] },
  async handle(context) {
    const { makeKey } = context.services.encryptionKeys
    if (makeKey === undefined) {
      throw new ApiError(
        'invalid_payload',
        'The keys of this installation are set by ENCRYPTION_KEY, or shared by several nodes: put a new key in front of the list, separated by a comma, and restart every node.',
      )
    }
    const key = makeKey()
    const { value } = await claimFact(context, keysInUseFact, fingerprintOf(key))
    await putFact(context, keysInUseFact, [...new Set([...value.split(','), fingerprintOf(key)])].join(','))
    context.services.vault.sealWith(key)
    return describe(context)
  },
})

export const reencrypt = operation({
  name: 'reencrypt',
  summary: 'Encrypt the next values with the current key',
  description:
    'One batch of what is encrypted with a former key, while the service runs. Repeat it with `next` until that is null; it can be stopped and repeated at any time. `doorstep rotate-keys` does that.',
  area,
  route: 'POST /v1/encryption/re-encrypt',
  needs: 'superadmin',
  body: ReencryptionRequest,
  isBodyOptional: true,
  reply: Reencryption,
  audit: { none: 'The last batch records that the keys were rotated.' },
  async handle(context, { body }) {
    const start = body.after == null ? { column: 0, after: null } : readPosition(body.after)
    const { resealed, unreadable, next } = await resealBatch(context, start, body.limit ?? 200)
    if (next === null) await finish(context)
    return { re_encrypted: resealed, unreadable, next: next && writePosition(next) }
  },
})

export const listSigningKeys = operation({
  name: 'listSigningKeys',
  summary: 'List the keys that sign links',
  description: 'Their ids and times; the keys themselves are never shown.',
  area,
  route: 'GET /v1/signing-keys',
  needs: 'superadmin',
  reply: SigningKeyList,
  handle: (context) => listKeys(context),
})

export const rotateSigningKeys = operation({
  name: 'rotateSigningKey',
  summary: 'Rotate the key that signs links to tracking pages',
  description:
    'After a minute new links are signed with a new key: to tracking pages, photos, and in e-mails. For `former_valid_days` links that were made before still work. Digests of passwords and addresses do not change.',
  area,
  route: 'POST /v1/signing-keys/rotate',
  needs: 'superadmin',
  body: SigningKeyRotation,
  isBodyOptional: true,
  reply: SigningKeyList,
  audit: { kind: 'signing_key', isAct: true, id: (_context, _input, reply) => newestOf(reply?.body) },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const validMs = Math.max((body.former_valid_days ?? 90) * dayMs, 2 * signsAfterMs)
      await endSigningKeys(context, after(context.now, validMs))
      const key = {
        id: randomText(12),
        secret: randomText(43),
        signsFrom: after(context.now, signsAfterMs),
        validUntil: null,
      }
      await insertSigningKey(context, context.services.vault, key)
      await context.services.announce(context, { kind: 'signingKeys', id: key.id })
      return listKeys(context)
    }),
})

async function describe(context: Context): Promise<EncryptionState> {
  const { vault, encryptionKeys } = context.services
  const ours = [...new Set(vault.keyIds())]
  const counts = await countSealed(context)
  const { value } = await claimFact(context, keysInUseFact, '')
  const original = value.split(',').map((fingerprint) => fingerprint.slice(0, 8))
  const ids = [
    ...new Set([...ours, ...original.filter((id) => id !== ''), ...counts.flatMap(({ prefix }) => idIn(prefix))]),
  ]
  const keys = ids.map((id) => {
    const columns = counts.filter(({ prefix }) => vault.prefixOf(id).equals(prefix))
    return {
      id,
      is_current: id === ours[0],
      is_missing: !ours.includes(id),
      values: columns.reduce((sum, { values }) => sum + values, 0),
      columns: columns.map(({ column, values }) => ({ column, values })),
    }
  })
  const outdated = counts.filter(({ prefix }) => !vault.prefixOf().equals(prefix))
  return {
    source: encryptionKeys.source,
    current_key: ours[0] ?? '',
    keys: keys.filter(({ is_missing, values }) => !is_missing || values > 0),
    outdated_values: outdated.reduce((sum, { values }) => sum + values, 0),
  }
}

/** Values that name their key: those of the first one do not. */
function idIn(prefix: Buffer): string[] {
  return prefix.length === 5 ? [prefix.subarray(1).toString('hex')] : []
}

/** If nothing needs the former keys any more, the store records it, and they may be removed. */
async function finish(context: Context): Promise<void> {
  await inTransaction(context, async (context) => {
    const { value } = await claimFact(context, keysInUseFact, '')
    const { vault } = context.services
    const counts = await countSealed(context)
    if (counts.some(({ prefix }) => !vault.prefixOf().equals(prefix))) return
    const inUse = value.split(',').filter((fingerprint) => fingerprint.startsWith(vault.keyIds()[0] ?? ' '))
    if (inUse.length === 0 || inUse.join(',') === value) return
    await putFact(context, keysInUseFact, inUse.join(','))
    await recordChange(context, {
      shopId: null,
      action: 'reencrypt',
      area,
      kind: 'encryption_key',
      id: vault.keyIds()[0],
      changes: {},
    })
  })
}

async function listKeys(context: Context) {
  const keys = await findSigningKeys(context, context.services.vault)
  return {
    keys: keys.map(({ id, signsFrom, validUntil }) => ({
      id,
      signs_from: signsFrom.toISOString(),
      valid_until: validUntil?.toISOString() ?? null,
    })),
  }
}

function newestOf(body: unknown): string | undefined {
  return (body as { keys: { id: string }[] } | undefined)?.keys[0]?.id // the reply of listKeys
}

function writePosition(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

function readPosition(text: string): Position {
  const { column, after } = readObject(Buffer.from(text, 'base64url').toString('utf8')) ?? {}
  const known = typeof column === 'number' ? sealedColumns[column] : undefined
  const isAfter =
    after === null ||
    (Array.isArray(after) &&
      after.length === Object.keys(known?.key ?? {}).length &&
      after.every((part, index) => typeof part === 'string' && isKeyPart(Object.values(known?.key ?? {})[index], part)))
  if (known === undefined || !isAfter) throw invalid(['body', 'after'], 'must be the `next` of a batch')
  return { column: Number(column), after: after as string[] | null } // checked above
}

function isKeyPart(type: string | undefined, text: string): boolean {
  return type === 'uuid' ? /^[0-9a-f-]{36}$/.test(text) : !text.includes('\0')
}
