/**
 * Every statement is written for an index. Planned while a table is small, it would scan the whole table, and prepared
 * statements keep that plan while the table grows: 200 deliveries per second instead of thousands in the first minute of a
 * new store. A statement without an index still scans.
 */
const always = '-c enable_seqscan=off -c jit=off'

const checkName = 'client_connection_check_interval'

/** The options of our sessions on one server. What it does not support is left out from then on. */
export class SessionOptions {
  readonly #ofAddress: string
  #checksClients = true

  /** The `options` of the address come last, so that they win. */
  constructor(ofAddress: string) {
    this.#ofAddress = ofAddress
  }

  /**
   * Whether the server ends statements whose client is gone, so that their locks do not outlive it. Where its operating
   * system does not report closed connections, as on Windows, it rejects every session that asks for this.
   */
  get checksClients(): boolean {
    return this.#checksClients
  }

  get text(): string {
    return [always, ...(this.#checksClients ? [`-c ${checkName}=5s`] : []), this.#ofAddress].join(' ').trim()
  }

  /** Connects, and once more without the check of clients if the server rejects that. */
  async connect<Connection>(open: () => Promise<Connection>): Promise<Connection> {
    try {
      return await open()
    } catch (error) {
      // Its sentence depends on the server's language, the name of the setting does not.
      if (!(error instanceof Error && error.message.includes(checkName))) throw error
      this.#checksClients = false
      return open()
    }
  }
}
