import { Allowance } from '../../../src/foundation/allowance.ts'
import { after, dayMs, hourMs } from '../../../src/foundation/clock.ts'
import type { ShopContext } from '../../../src/foundation/context.ts'
import { ApiError } from '../../../src/foundation/errors.ts'
import type { PageFile } from '../../../src/foundation/page-route.ts'
import { storeImage } from '../../../src/resources/images/store-image.ts'
import type { ClaimTextKey, ClaimTexts } from './texts.ts'
import type { ClaimValues, FormProblem } from './values.ts'

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

/**
 * Stores uploads before anything else is validated, so that they survive a form with problems. Returns the values with
 * their keys, and a problem for each file that could not be stored.
 */
export async function storeUploads<Values extends Pick<ClaimValues, 'photos' | 'signature'>>(
  context: ShopContext,
  values: Values,
  { texts, orderId, files, limitBytes }: Uploads,
): Promise<{ values: Values; problems: FormProblem[] }> {
  const problems: FormProblem[] = []
  const photos = values.photos.slice(0, maxPhotos)
  const chosen = files.filter(({ field }) => field === 'photos')
  for (const file of chosen.slice(0, maxPhotos - photos.length)) {
    const stored = await storeUpload(context, orderId, 'claim', file)
    const values = { file: shortName(file), size: megabytes(limitBytes) }
    if (stored.key !== undefined) photos.push(stored.key)
    else problems.push({ field: 'photos', text: texts.say(stored.problem, values) })
  }
  if (chosen.length + values.photos.length > maxPhotos) {
    problems.push({ field: 'photos', text: texts.count('error.photos_many', maxPhotos) })
  }
  let { signature } = values
  const drawn = files.find(({ field }) => field === 'signature')
  if (drawn) {
    const stored = await storeUpload(context, orderId, 'signature', drawn)
    if (stored.key !== undefined) signature = stored.key
    else problems.push({ field: 'signature', text: texts.say('error.signature_image') })
  }
  return { values: { ...values, photos, signature }, problems }
}

type StoredUpload = { key: string } | { key?: undefined; problem: ClaimTextKey }

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
    const image = await file.read()
    return { key: await storeImage(context, type, image, { orderId, until: after(context.now, lifetimeMs) }) }
  } catch (error) {
    if (error instanceof ApiError) return { problem: 'error.photo_format' }
    throw error
  }
}

export function megabytes(bytes: number): number {
  return Math.floor(bytes / 100_000) / 10
}

function shortName({ filename }: PageFile): string {
  return filename.length > 60 ? `${filename.slice(0, 57)}…` : filename
}
