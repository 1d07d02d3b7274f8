// @ts-check
/** The store waits at most this long for a process that copies its files; then that copy has failed. */
const maxHoldMs = 300_000
const requestMs = 5_000

export const holdRequest = 'hold\n'
export const heldReply = 'held\n'

/**
 * Serves other processes of this machine over the socket in the data folder: only who may read the store's files can
 * connect to it. One that sends `hold` gets `held` when the store is at rest and its files are complete. The store waits
 * until the connection is closed, also by the end of that process.
 */
export class Visitors {
  /** @type {Set<import('node:net').Socket>} */
  #sockets = new Set()
  /** @type {import('./thread.js').Hold | undefined} */
  #hold

  /** @param {import('./thread.js').Hold} hold */
  onHold(hold) {
    this.#hold = hold
  }

  /** @param {import('node:net').Socket} socket */
  serve(socket) {
    this.#sockets.add(socket)
    const timer = setTimeout(() => socket.destroy(), requestMs)
    timer.unref()
    socket.once('close', () => {
      clearTimeout(timer)
      this.#sockets.delete(socket)
    })
    let request = ''
    socket.on('data', (bytes) => {
      request += bytes.toString('latin1')
      if (request === holdRequest) {
        clearTimeout(timer)
        void this.#holdFor(socket)
      } else if (request.length >= holdRequest.length) socket.destroy()
    })
  }

  close() {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** @param {import('node:net').Socket} socket */
  async #holdFor(socket) {
    try {
      const release = await this.#hold?.()
      if (release === undefined) return void socket.destroy()
      if (socket.destroyed) return release()
      const timer = setTimeout(() => socket.destroy(), maxHoldMs)
      socket.once('close', () => {
        clearTimeout(timer)
        release()
      })
      socket.write(heldReply)
    } catch {
      socket.destroy()
    }
  }
}
