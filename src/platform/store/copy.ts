import pg from 'pg'
import type { PreparingClient } from './prepared.ts'

/** Runs a `copy … to stdout`, and returns its rows as COPY's own text. All of it is in memory: copy a part at a time. */
export async function copyOut(client: PreparingClient, text: string): Promise<{ bytes: Buffer; rows: number }> {
  const { received, rows } = await run(client, text, undefined)
  return { bytes: Buffer.concat(received), rows }
}

/**
 * Runs a `copy … from stdin` with these rows, and returns their number. They are sent with the statement: the embedded
 * engine reads nothing more once it has begun, and a server drops them if it rejects the statement.
 */
export async function copyIn(client: PreparingClient, text: string, bytes: Uint8Array): Promise<number> {
  return (await run(client, text, bytes)).rows
}

function run(
  client: PreparingClient,
  text: string,
  bytes: Uint8Array | undefined,
): Promise<{ received: Buffer[]; rows: number }> {
  return new Promise((resolve, reject) => {
    const copy = new CopyStatement(text, bytes, (error, rows) =>
      error ? reject(error) : resolve({ received: copy.received, rows }),
    )
    // It calls back; what `query` itself returns is the statement.
    void client.query(copy)
  })
}

/** The part of a node-postgres connection that its types lack. */
interface Wire {
  stream: { cork(): void; uncork(): void }
  query(text: string): void
  sendCopyFromChunk(bytes: Uint8Array): void
  endCopyFrom(): void
}

class CopyStatement extends pg.Query {
  readonly received: Buffer[] = []
  readonly #text: string
  readonly #bytes: Uint8Array | undefined

  constructor(text: string, bytes: Uint8Array | undefined, done: (error: Error | null, rows: number) => void) {
    // The types lack the callback of a query's own class.
    const callback = (error: Error | null, result?: pg.QueryResult) => done(error, result?.rowCount ?? 0)
    super({ text, callback } as pg.QueryConfig)
    this.#text = text
    this.#bytes = bytes
  }

  override submit = (connection: pg.Connection): void => {
    const wire = connection as unknown as Wire
    wire.stream.cork()
    wire.query(this.#text)
    if (this.#bytes !== undefined) {
      if (this.#bytes.length > 0) wire.sendCopyFromChunk(this.#bytes)
      wire.endCopyFrom()
    }
    wire.stream.uncork()
  }

  /** The rows are on their way already. */
  handleCopyInResponse(): void {}

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // A view of the parser's memory, which it uses again.
    this.received.push(Buffer.from(chunk))
  }
}
