import { ArchiveError } from '../../platform/foundation/archive/format.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import type { Manifest } from './archive-entries.ts'
import { type Archive, type CarriedPerson, readShopArchive } from './read-archive.ts'
import { findForeignKeys, findPeople } from './store.ts'

/** Reads the whole archive once: the passphrase fits, nothing is damaged, missing or forged, and its rows fit our schema. */
export async function checkArchive(context: Context, archive: Archive, passphrase: string): Promise<Manifest> {
  try {
    let manifest: Manifest | undefined
    for await (const entry of readShopArchive(context, archive, passphrase)) {
      if (entry.kind === 'shop') manifest = entry.manifest
      else if (entry.kind === 'keys') await checkKeys(context, entry.text)
      else if (entry.kind === 'people') await matchPeople(context, entry.text, entry.people)
    }
    if (manifest === undefined) throw new ArchiveError('The file is not an archive of a shop.')
    return manifest
  } catch (error) {
    if (error instanceof ArchiveError) throw invalid(['body', 'file'], error.message)
    throw error
  }
}

export async function checkKeys(context: Context, keys: string): Promise<void> {
  const foreign = await findForeignKeys(context, keys)
  if (foreign.length > 0) throw new ArchiveError(`The API keys ${foreign.join(', ')} exist here as other keys.`)
}

/** People are matched by their addresses. Returns the ids of those here whose id in the file is another one. */
export async function matchPeople(
  context: Context,
  text: string,
  people: readonly CarriedPerson[],
): Promise<Record<string, string>> {
  const here = await findPeople(context, text)
  const idsByEmail = new Map(here.map(({ id, email }) => [email, id]))
  const emailsById = new Map(here.map(({ id, email }) => [id, email]))
  const ids: Record<string, string> = {}
  for (const { id, email } of people) {
    const known = idsByEmail.get(email)
    if (known !== undefined && known !== id) ids[id] = known
    if (known === undefined && emailsById.has(id)) {
      throw new ArchiveError(`The id of ${email} is that of somebody else here.`)
    }
  }
  return ids
}
