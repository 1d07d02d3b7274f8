import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { visitOwner } from './lock.js'
import { heldReply, holdRequest } from './visitors.js'

/**
 * Copies the files of a store that another process, or this one, has open. The store waits meanwhile, for as long as the
 * disk takes; on file systems that share blocks, that is a moment. Returns false if nobody has it open.
 */
export async function copyRunningStore(dataDir: string, target: string): Promise<boolean> {
  const socket = await visitOwner(dataDir)
  if (socket === undefined) return false
  try {
    await waitUntilHeld(socket)
    await cp(join(dataDir, 'store'), join(target, 'store'), { recursive: true, mode: constants.COPYFILE_FICLONE })
    // Had it been released meanwhile, the files would be of different moments.
    if (socket.destroyed || socket.readableEnded) throw new Error('the store was not held until its copy was complete')
    return true
  } finally {
    socket.destroy()
  }
}

function waitUntilHeld(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('the process that has the store open does not let it be copied')))
    socket.on('data', (bytes) => bytes.toString('latin1') === heldReply && resolve())
    socket.write(holdRequest)
  })
}
