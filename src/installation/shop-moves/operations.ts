import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeArchive } from '../../platform/foundation/archive/write.ts'
import { minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { rejectExpiring } from '../../platform/foundation/lasting-access.ts'
import { operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import { StreamReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import type { StoredUpload, UploadSink } from '../../platform/foundation/upload-sink.ts'
import { numberArrivals } from '../../webhooks/event-feed/store.ts'
import type { Manifest } from './archive-entries.ts'
import { checkArchive } from './check-archive.ts'
import { entriesOf } from './export.ts'
import { type ImportOptions, importEntries } from './import.ts'
import type { Archive } from './read-archive.ts'
import { removePrevious } from './remove-shop.ts'
import { ShopExport, ShopImport, ShopPause } from './schema.ts'
import { clearPause, findPause, hasSendsInFlight, hasSettled, readSnapshot, setPause } from './store.ts'

/** Keeps an archive on disk while it is imported: it is read twice. It is encrypted, and only its owner can read the folder. */
const uploadedArchives: UploadSink = {
  limitBytes: Number.MAX_SAFE_INTEGER,
  async store(_context, _filename, bytes) {
    const folder = await mkdtemp(join(tmpdir(), 'doorstep-shop-'))
    const hash = createHash('sha256')
    let sizeBytes = 0
    try {
      const file = await open(join(folder, 'archive'), 'wx', 0o600)
      try {
        for await (const chunk of bytes) {
          hash.update(chunk)
          sizeBytes += chunk.length
          await file.write(chunk)
        }
      } finally {
        await file.close()
      }
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
    return { id: folder, sizeBytes, sha256: hash.digest('hex') }
  },
  discard: (_context, upload) => removeArchive(upload),
}

function archiveOf({ id }: StoredUpload): Archive {
  return () => createReadStream(join(id, 'archive'))
}

async function removeArchive({ id }: StoredUpload): Promise<void> {
  await rm(id, { recursive: true, force: true })
}

const area = 'Moving shops'

export const getShopPause = operation({
  name: 'getShopPause',
  summary: 'Find out whether a shop is paused',
  area,
  route: 'GET /v1/shops/{slug}/pause',
  needs: 'viewer',
  reply: ShopPause,
  handle: (context) => readState(context),
})

export const pauseShopBySlug = operation({
  name: 'pauseShop',
  summary: 'Pause a shop',
  description:
    'While a shop is paused, what writes to it gets 503 `store_unavailable` with `Retry-After`, and nothing is sent for it. It can still be read. Returns when nothing is in flight any more.',
  area,
  route: 'POST /v1/shops/{slug}/pause',
  needs: 'superadmin',
  reply: ShopPause,
  callsOut: true,
  worksWhilePaused: true,
  audit: { kind: 'shop', id: ({ shop }) => shop.slug, isAct: true, isRecordedAfter: true },
  async handle(context) {
    await pauseShop(context, 'operator')
    return readState(context)
  },
})

export const resumeShopBySlug = operation({
  name: 'resumeShop',
  summary: 'Resume a shop',
  description:
    'The shop is written to and sent for again. Resume a shop that was exported in order to move only if the move was given up: if it was imported elsewhere, both would send.',
  area,
  route: 'DELETE /v1/shops/{slug}/pause',
  needs: 'superadmin',
  reply: ShopPause,
  worksWhilePaused: true,
  audit: { kind: 'shop', id: ({ shop }) => shop.slug, isAct: true },
  async handle(context) {
    await resumeShop(context)
    return readState(context)
  },
})

export const exportShop = operation({
  name: 'exportShop',
  summary: 'Export a whole shop',
  description: [
    'Returns one encrypted file with everything of the shop: every row, images, API keys, credentials, pending deliveries, page links. It can be imported into any installation of the same version, on either store.',
    'With `move`, the shop is paused first, and stays so. Without it, the file is a copy. A response that breaks off is not complete: an import rejects it.',
  ].join('\n\n'),
  area,
  route: 'POST /v1/shops/{slug}/export',
  needs: 'superadmin',
  body: ShopExport,
  reply: StreamReply('application/octet-stream', 'doorstep archive 1'),
  callsOut: true,
  worksWhilePaused: true,
  audit: { kind: 'shop', id: ({ shop }) => shop.slug, isAct: true, isRecordedAfter: true },
  async handle(context, { body }) {
    if (body.move) await pauseShop(context, 'move')
    const bytes = body.move ? moved(context, body.passphrase) : await copied(context, body.passphrase)
    return new ReplyWithHeaders(bytes, {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${context.shop.slug}.doorstep"`,
    })
  },
})

export const importShop = operation({
  name: 'importShop',
  summary: 'Import a whole shop',
  description:
    'Takes a file of an export. The shop appears when it is complete, and not before. Returns lines of JSON while it works: `{"rows":…}`, and at the end `{"status":"completed",…}` or `{"status":"failed","message":…}`. A shop that moved continues at once; a copy is paused until it is resumed.',
  area,
  route: 'POST /v1/shop-imports',
  needs: 'superadmin',
  file: 'file',
  uploadSink: uploadedArchives,
  body: ShopImport,
  reply: StreamReply('application/x-ndjson', '{"status":"completed","slug":"river-and-pine","rows":120}\n'),
  errors: ['shop_exists'],
  callsOut: true,
  audit: { none: 'It is recorded when the shop is complete and appears.' },
  async handle(context, { body, storedUpload }) {
    if (storedUpload === undefined) throw invalid(['body', 'file'], 'field required')
    // The file has keys and roles of people in it.
    rejectExpiring(context.principal, 'import shops')
    const options: ImportOptions = {
      passphrase: body.passphrase,
      deliverPending: body.deliver_pending ?? false,
      replaceDeleted: body.replace_deleted ?? false,
    }
    const manifest = await checkArchive(context, archiveOf(storedUpload), body.passphrase)
    await removePrevious(context, manifest, options)
    return new ReplyWithHeaders(progressOf(context, storedUpload, manifest, options), {
      'content-type': 'application/x-ndjson',
    })
  },
})

async function readState(context: ShopContext): Promise<ShopPause> {
  return (await readPause(context)) as ShopPause // no other reason is written
}

function moved(context: ShopContext, passphrase: string): AsyncGenerator<Buffer> {
  const cost = context.services.archiveCost
  return readSnapshot(context, (context) =>
    writeArchive(entriesOf(context, 'move'), { kind: 'shop', passphrase, cost }),
  )
}

/** A store with one connection cannot keep a snapshot while others work: there, the shop is paused while it is read. */
async function copied(context: ShopContext, passphrase: string): Promise<AsyncGenerator<Buffer>> {
  const cost = context.services.archiveCost
  const write = (context: ShopContext) => writeArchive(entriesOf(context, 'copy'), { kind: 'shop', passphrase, cost })
  const { paused_at: pausedAt } = await readPause(context)
  if (pausedAt !== null || context.services.hasSnapshots) return readSnapshot(context, write)
  await pauseShop(context, 'export')
  return resumedAfter(context, write(context))
}

async function* resumedAfter(context: ShopContext, bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } finally {
    await resumeShop(context)
  }
}

const progressEveryRows = 5_000

async function* progressOf(
  context: Context,
  upload: StoredUpload,
  manifest: Manifest,
  options: ImportOptions,
): AsyncGenerator<string> {
  const { shopId, slug, kind } = manifest
  let rows = 0
  try {
    yield `${JSON.stringify({ rows })}\n`
    let shown = 0
    for await (rows of importEntries(context, archiveOf(upload), manifest, options)) {
      if (rows - shown < progressEveryRows) continue
      shown = rows
      yield `${JSON.stringify({ rows })}\n`
    }
    yield `${JSON.stringify({ status: 'completed', slug, kind, rows })}\n`
  } catch (error) {
    context.log.error({ err: error, shop: shopId }, 'a shop could not be imported')
    yield `${JSON.stringify({ status: 'failed', message: error instanceof Error ? error.message : String(error) })}\n`
  } finally {
    await removeArchive(upload)
  }
}

type PauseReason = 'operator' | 'export' | 'move' | 'copy'

/** Longer than any node trusts its cache without receiving changes. */
const noticeMs = secondMs
const pollMs = 50
/** An attempt to deliver takes ten seconds at most. */
const limitMs = minuteMs

/**
 * Pauses the shop, and resolves when nothing is in flight for it any more: every request that was admitted has been
 * committed or rejected, and what was being sent has been recorded.
 */
async function pauseShop(context: ShopContext, reason: PauseReason): Promise<void> {
  const xid = await inTransaction(context, async (context) => {
    const xid = await setPause(context, context.shop.id, context.now, reason)
    await context.services.announce(context, { kind: 'shop', id: context.shop.id, slug: context.shop.slug })
    return xid
  })
  await wait(noticeMs)
  const startMs = performance.now()
  while (!(await isQuiet(context, xid))) {
    if (performance.now() - startMs > limitMs) throw busy(context)
    await wait(pollMs)
  }
  // Positions in the feed are part of what moves.
  while ((await numberArrivals(context, context.shop.id)) > 0);
}

async function resumeShop(context: ShopContext): Promise<void> {
  await inTransaction(context, async (context) => {
    await clearPause(context, context.shop.id)
    await context.services.announce(context, { kind: 'shop', id: context.shop.id, slug: context.shop.slug })
  })
}

async function readPause(context: ShopContext): Promise<{ paused_at: string | null; reason: string | null }> {
  const { pausedAt, pausedFor } = await findPause(context, context.shop.id)
  return { paused_at: pausedAt?.toISOString() ?? null, reason: pausedFor }
}

async function isQuiet(context: ShopContext, xid: string): Promise<boolean> {
  if (!(await hasSettled(context, xid))) return false
  return !(await hasSendsInFlight(context, context.shop.id, context.services.clock.now()))
}

function busy({ shop }: ShopContext): ApiError {
  return new ApiError(
    'store_unavailable',
    `Something is still in flight for the shop "${shop.slug}" after a minute. It stays paused: try again, or resume it.`,
    { headers: { 'retry-after': '10' } },
  )
}
