import { describe, expect, it } from 'vitest'
import { MadeDocuments } from '../../src/platform/foundation/public-document.ts'
import type { Steps } from '../../src/platform/foundation/steps.ts'

describe('documents that are made at their first request', () => {
  it('are made once, for all who request them at the same time and later', async () => {
    const documents = new MadeDocuments<string>()
    let made = 0
    function* make(): Steps<string> {
      made += 1
      yield
      return 'text'
    }
    const [first, second] = await Promise.all([
      documents.get('page', 'text/plain', make),
      documents.get('page', 'text/plain', make),
    ])
    expect([second === first, (await documents.get('page', 'text/plain', make)) === first, made]).toEqual([
      true,
      true,
      1,
    ])
  })

  it('are tried again after a failure', async () => {
    const documents = new MadeDocuments<string>()
    let isBroken = true
    function* make(): Steps<string> {
      yield
      if (isBroken) throw new Error('broken')
      return 'text'
    }
    await expect(documents.get('page', 'text/plain', make)).rejects.toThrow('broken')
    isBroken = false
    expect((await documents.get('page', 'text/plain', make)).plain.toString()).toBe('text')
  })
})
