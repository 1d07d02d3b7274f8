import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SigningKey } from '../../src/foundation/crypto.ts'

describe('signing key', () => {
  // Up to a block of the hash and beyond, and messages that fit the desk and that do not.
  const secrets = ['sixteen letters!', 'ä'.repeat(32), 'k'.repeat(64), 'k'.repeat(65), 'k'.repeat(200)]
  const sizes = [0, 1, 6_000, 32 * 1_024 - 66, 32 * 1_024 - 65, 32 * 1_024, 1_000_000]

  it.each(secrets)('of %s signs as HMAC does', (secret) => {
    const key = new SigningKey(secret)
    for (const size of sizes) {
      const body = Buffer.alloc(size, 'a body with ü')
      for (const encoding of ['hex', 'base64'] as const) {
        expect(key.sign('1.', body, encoding)).toBe(
          createHmac('sha256', secret).update('1.').update(body).digest(encoding),
        )
      }
    }
  })
})
