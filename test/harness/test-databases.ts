import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The prefix of this run's database names. */
    databasePrefix: string
  }
}

const family = 'doorstep_test_'
/** No run lasts that long: older databases are left over from a run that was killed. */
const longestRunSeconds = 3_600

/** Drops the databases of finished runs, before the first test and after the last one. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const serverUrl = process.env.TEST_DATABASE_URL ?? ''
  const beganAt = Math.floor(Date.now() / 1_000)
  const prefix = `${family}${beganAt}_${process.pid}_`
  project.provide('databasePrefix', prefix)
  if (serverUrl === '') return undefined
  await dropDatabases(serverUrl, (name) => beginningOf(name) < beganAt - longestRunSeconds)
  return () => dropDatabases(serverUrl, (name) => name.startsWith(prefix))
}

/** The time at which the run that created a database began, in seconds since 1970. */
function beginningOf(name: string): number {
  return Number(name.slice(family.length).split('_')[0])
}

async function dropDatabases(serverUrl: string, isMeant: (name: string) => boolean): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where datname ~ '^${family}\\d+_\\d+_\\d+_\\d+$'`,
    )
    for (const { name } of rows.filter(({ name }) => isMeant(name))) {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  } finally {
    await client.end()
  }
}
