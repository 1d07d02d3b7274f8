/**
 * Every statement is written for an index. Planned while a table is small, it would scan the whole table, and prepared
 * statements keep that plan while the table grows: 200 deliveries per second instead of thousands in the first minute of a
 * new store. A statement without an index still scans.
 */
const always = '-c enable_seqscan=off -c jit=off'

/** Settings that not every server accepts; it rejects every session with one that it does not know. */
const whereSupported = {
  /** Ends statements whose client is gone, so that their locks do not outlive it. Not on Windows, for example. */
  client_connection_check_interval: '5s',
  /** The default takes a tenth longer to write an order of 2 KB, a fifth for one of 8 KB. Not in every build. */
  default_toast_compression: 'lz4',
}

type OptionalSetting = keyof typeof whereSupported

/** The options of our sessions on one server. A setting that it does not support is omitted from then on. */
export class SessionOptions {
  readonly #ofAddress: string
  readonly #supported = new Set(Object.keys(whereSupported) as OptionalSetting[])

  /** The `options` of the address come last, so that they win. */
  constructor(ofAddress: string) {
    this.#ofAddress = ofAddress
  }

  /** Whether the server ends statements whose client is gone. */
  get checksClients(): boolean {
    return this.#supported.has('client_connection_check_interval')
  }

  get text(): string {
    const optional = [...this.#supported].map((name) => `-c ${name}=${whereSupported[name]}`)
    return [always, ...optional, this.#ofAddress].join(' ').trim()
  }

  /** Connects, and once more without a setting that the server rejects. */
  async connect<Connection>(open: () => Promise<Connection>): Promise<Connection> {
    try {
      return await open()
    } catch (error) {
      const rejected = [...this.#supported].find((name) => error instanceof Error && error.message.includes(name))
      // The sentence depends on the server's language, the name of the setting does not.
      if (rejected === undefined) throw error
      this.#supported.delete(rejected)
      return this.connect(open)
    }
  }
}
