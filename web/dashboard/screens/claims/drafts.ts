/** A reply that somebody has begun to write stays in this browser until it is sent. */
const nameOf = (uuid: string) => `doorstep.claim-reply.${uuid}`

export function readDraft(uuid: string): string | undefined {
  return localStorage.getItem(nameOf(uuid)) ?? undefined
}

/** Undefined: there is nothing to keep. */
export function keepDraft(uuid: string, text: string | undefined): void {
  if (text === undefined) localStorage.removeItem(nameOf(uuid))
  else localStorage.setItem(nameOf(uuid), text)
}
