import pg from 'pg'

/** A database of the benchmark's own on a PostgreSQL server, dropped at the end. */
export async function createOwnDatabase(
  serverUrl: string,
  suffix = '',
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `doorstep_bench_${process.pid}${suffix}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: serverUrl })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) }
}
