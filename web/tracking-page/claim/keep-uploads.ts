import { Allowance } from '../../../src/foundation/allowance.ts'
import { after, dayMs, hourMs } from '../../../src/foundation/clock.ts'
import type { ShopContext } from '../../../src/foundation/context.ts'
import { ApiError } from '../../../src/foundation/errors.ts'
import type { PageFile } from '../../../src/foundation/page-route.ts'
import { storeImage } from '../../../src/resources/images/store-image.ts'
import type { ClaimTextKey, ClaimTexts } from './texts.ts'
import type { ClaimValues, FormProblem } from './values.ts'

export const mostPhotos = 6

/** How long an upload waits for its form: over a night, and no longer than its sender would expect. */
const keptMs = dayMs

/** Of one order, on one node: enough to try and try again, and too few to fill a disk. */
const uploads = new Allowance(60, hourMs)

export interface Uploads {
  texts: ClaimTexts
  orderId: string
  files: readonly PageFile[]
  limitBytes: number
}

/**
 * Keeps what was uploaded, before anything else is judged: whatever has to be mended in the form, photos and signature
 * need not be chosen again. Answers the values with them, and what is wrong with those that could not be kept.
 */
export async function keepUploads<Values extends Pick<ClaimValues, 'photos' | 'signature'>>(
  context: ShopContext,
  values: Values,
  { texts, orderId, files, limitBytes }: Uploads,
): Promise<{ values: Values; problems: FormProblem[] }> {
  const problems: FormProblem[] = []
  const photos = values.photos.slice(0, mostPhotos)
  const chosen = files.filter(({ field }) => field === 'photos')
  for (const file of chosen.slice(0, mostPhotos - photos.length)) {
    const kept = await keep(context, orderId, 'claim', file)
    const told = { file: shortName(file), size: megabytes(limitBytes) }
    if (kept.key !== undefined) photos.push(kept.key)
    else problems.push({ field: 'photos', text: texts.say(kept.problem, told) })
  }
  if (chosen.length + values.photos.length > mostPhotos) {
    problems.push({ field: 'photos', text: texts.count('error.photos_many', mostPhotos) })
  }
  let { signature } = values
  const drawn = files.find(({ field }) => field === 'signature')
  if (drawn) {
    const kept = await keep(context, orderId, 'signature', drawn)
    if (kept.key !== undefined) signature = kept.key
    else problems.push({ field: 'signature', text: texts.say('error.signature_image') })
  }
  return { values: { ...values, photos, signature }, problems }
}

type Kept = { key: string } | { key?: undefined; problem: ClaimTextKey }

async function keep(context: ShopContext, orderId: string, type: 'claim' | 'signature', file: PageFile): Promise<Kept> {
  if (uploads.waitSeconds(orderId) > 0) return { problem: 'error.photos_limit' }
  uploads.use(orderId)
  if (file.isTooLarge) return { problem: 'error.photo_large' }
  try {
    const image = await file.read()
    return { key: await storeImage(context, type, image, { orderId, until: after(context.now, keptMs) }) }
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
