import { open, rename, rm } from 'node:fs/promises'

/** Writes a file that appears under its name only when it is complete. */
export async function writeWholeFile(
  path: string,
  chunks: AsyncIterable<Uint8Array | string> | readonly string[],
): Promise<void> {
  const partial = `${path}.${process.pid}.part`
  const file = await open(partial, 'w', 0o600)
  try {
    for await (const chunk of chunks) await file.writeFile(chunk)
    await file.sync()
    await file.close()
    await rename(partial, path)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(partial, { force: true })
    throw error
  }
}
