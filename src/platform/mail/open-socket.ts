import { connect, isIP, type Socket } from 'node:net'
import { OutgoingError } from '../outgoing/errors.ts'
import { guardedLookup } from '../outgoing/guarded-address.ts'
import { isPrivateAddress } from '../outgoing/private-addresses.ts'

interface SocketOptions {
  host: string
  port: number
  /** Whether the host may be in a private network. */
  allowPrivate: boolean
  connectMs: number
}

/**
 * Connects to a mail server. nodemailer would resolve the name itself; here the address that was checked is the one that
 * is dialled.
 */
export function openSocket({ host, port, allowPrivate, connectMs }: SocketOptions): Promise<Socket> {
  return new Promise((done, fail) => {
    if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) {
      return fail(new OutgoingError('connect', `${host} is a private address, which is not called`))
    }
    const socket = connect({ host, port, ...(allowPrivate ? {} : { lookup: guardedLookup }) })
    const timer = setTimeout(() => socket.destroy(new OutgoingError('timeout', 'no connection in time')), connectMs)
    const onError = (error: Error): void => {
      clearTimeout(timer)
      fail(error)
    }
    socket.once('error', onError)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeListener('error', onError)
      // Each command waits for its reply: without this, the kernel delays the last part of each message by 40 ms.
      socket.setNoDelay(true)
      done(socket)
    })
  })
}
