import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CliError } from './errors.ts'
import type { Io } from './io.ts'

/** A connection that "doorstep login" has saved. */
export interface Profile {
  url: string
  username: string
  api_key: string
  shop?: string | undefined
}

export interface ProfileFile {
  /** The one that is used if none is named. */
  current: string
  profiles: Record<string, Profile>
}

/** The path of the profiles: a file that only its owner can read. */
function profilePath({ env, home }: Pick<Io, 'env' | 'home'>): string {
  const folder = env.XDG_CONFIG_HOME?.trim() || env.APPDATA?.trim() || join(home, '.config')
  return join(folder, 'doorstep', 'profiles.json')
}

/** Empty if nothing was saved yet. */
export function readProfiles(io: Pick<Io, 'env' | 'home'>): ProfileFile {
  const path = profilePath(io)
  const text = readText(path)
  if (text === undefined) return { current: 'default', profiles: {} }
  // Somebody may have changed it by hand, or restored it from a backup.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
  try {
    const { current, profiles } = JSON.parse(text) as ProfileFile // checked below
    if (typeof current !== 'string' || typeof profiles !== 'object' || profiles === null) throw new TypeError()
    return { current, profiles: Object.assign(Object.create(null), profiles) }
  } catch {
    throw new CliError(`${path} is not a file of profiles.`, { hint: 'Remove it and run "doorstep login" again.' })
  }
}

export function writeProfiles(io: Pick<Io, 'env' | 'home'>, file: ProfileFile): string {
  const path = profilePath(io)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // Written aside and renamed, so that the key is never readable to others and the file never half there.
  const aside = `${path}.${randomUUID()}`
  try {
    writeFileSync(aside, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600 })
    renameSync(aside, path)
  } finally {
    rmSync(aside, { force: true })
  }
  return path
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
