import { Allowance } from '../../platform/foundation/allowance.ts'
import { after, dayMs, hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import type { PageFile } from '../../platform/foundation/page-route.ts'
import { ImageTooCostly } from '../../shops/images/normalize-image.ts'
import { storeImage } from '../../shops/images/store-image.ts'
import type { ClaimTextKey, ClaimTexts } from './texts.ts'
import { type ClaimValues, type FormProblem, lost } from './view.ts'

export const maxPhotos = 6

/** How long an upload waits for its form to be sent: overnight, and no longer than its sender would expect. */
const lifetimeMs = dayMs

/** Per order and node: enough for several attempts, and too few to fill a disk. */
const uploads = new Allowance(60, hourMs)

export interface Uploads {
  texts: ClaimTexts
  orderId: string
  files: readonly PageFile[]
  limitBytes: number
}

/** The problem of an upload while too many photos wait to be decoded. */
const busy = 'error.photos_busy'

/**
 * Stores the uploads of a form that has no other problem: decoding them costs far more than everything else. Returns the values
 * with their keys, and a problem for each file that could not be stored.
 */
export async function storeUploads<Values extends Pick<ClaimValues, 'photos' | 'signature'>>(
  context: ShopContext,
  values: Values,
  { texts, orderId, files, limitBytes }: Uploads,
): Promise<{ values: Values; problems: FormProblem[]; isBusy: boolean }> {
  const problems: FormProblem[] = []
  let isBusy = false
  const photos = values.photos.slice(0, maxPhotos)
  const chosen = files.filter(({ field }) => field === 'photos')
  for (const file of chosen.slice(0, maxPhotos - photos.length)) {
    const stored = await storeUpload(context, orderId, 'claim', file)
    const values = { file: shortName(file), size: megabytes(limitBytes) }
    if (stored.key !== undefined) photos.push(stored.key)
    else problems.push(lost('photos', texts.say(stored.problem, values)))
    isBusy = stored.problem === busy
    if (isBusy) break
  }
  if (chosen.length + values.photos.length > maxPhotos) {
    problems.push(lost('photos', texts.count('error.photos_many', maxPhotos)))
  }
  let { signature } = values
  const drawn = files.find(({ field }) => field === 'signature')
  if (drawn && !isBusy) {
    const stored = await storeUpload(context, orderId, 'signature', drawn)
    if (stored.key !== undefined) signature = stored.key
    else problems.push(lost('signature', texts.say(stored.problem === busy ? busy : 'error.signature_image')))
    isBusy = stored.problem === busy
  }
  return { values: { ...values, photos, signature }, problems, isBusy }
}

type StoredUpload = { key: string; problem?: undefined } | { key?: undefined; problem: ClaimTextKey }

async function storeUpload(
  context: ShopContext,
  orderId: string,
  type: 'claim' | 'signature',
  file: PageFile,
): Promise<StoredUpload> {
  if (uploads.waitSeconds(orderId) > 0) return { problem: 'error.photos_limit' }
  uploads.use(orderId)
  if (file.isTooLarge) return { problem: 'error.photo_large' }
  try {
    const until = after(context.now, lifetimeMs)
    return { key: await storeImage(context, type, () => file.read(), { orderId, until }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.key === 'rate_limited') return { problem: busy }
    return { problem: error instanceof ImageTooCostly ? 'error.photo_costly' : 'error.photo_format' }
  }
}

/** The files to choose again, because a browser does not keep those of a form that is shown again. */
export function uploadsToRepeat(texts: ClaimTexts, files: readonly PageFile[]): FormProblem[] {
  const sent = new Set(files.map(({ field }) => field))
  const problems: FormProblem[] = []
  if (sent.has('photos')) problems.push(lost('photos', texts.say('error.photos_again')))
  if (sent.has('signature')) problems.push(lost('signature', texts.say('error.signature_again')))
  return problems
}

export function megabytes(bytes: number): number {
  return Math.floor(bytes / 100_000) / 10
}

function shortName({ filename }: PageFile): string {
  return filename.length > 60 ? `${filename.slice(0, 57)}…` : filename
}
