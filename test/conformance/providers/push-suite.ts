import { describe, expect, it } from 'vitest'
import type { ParcelReport, TrackedParcel } from '../../../src/adapters/carriers/provider.ts'
import type { TrackingProvider } from '../../../src/adapters/carriers/registry.ts'
import { bareNumber } from '../../../src/adapters/carriers/scans.ts'

/** How a provider pushes: the fake's side of a webhook. */
export interface Pushes {
  /** The header that carries the signature, in lower case. */
  header: string
  sign(body: string, secret: string): string
  /** A message with the whole history of the parcel. */
  update: unknown
  /** A message of a kind without scans. */
  ofNoInterest: unknown
  /** A message of the kind with scans, but without a parcel. */
  withoutParcel: unknown
}

const secret = 'a secret of the webhook: ä'
const now = new Date('2026-11-03T09:00:00Z')

interface Pushing {
  pushes: Pushes | undefined
  parcel: TrackedParcel
  report: ParcelReport
  provider: () => TrackingProvider
}

/** The promises of providers that push. */
export function describePushes(name: string, { pushes, parcel, report, provider }: Pushing): void {
  describe(`${name} › push`, () => {
    if (pushes === undefined) {
      it('is not supported', () => {
        expect(provider().readWebhook).toBeUndefined()
      })
      return
    }

    const read = (body: string, headers: Record<string, string | string[] | undefined>, by = secret) =>
      provider().readWebhook?.({ bytes: Buffer.from(body), headers, now }, by)
    const body = JSON.stringify(pushes.update)
    const signed = (text: string) => ({ [pushes.header]: pushes.sign(text, secret) })

    it('has the same report as tracking', async () => {
      const reading = await read(body, signed(body))
      const reports = reading?.result === 'read' ? reading.reports : []
      expect(reports.map((each) => bareNumber(each.trackingNumber))).toEqual([bareNumber(parcel.trackingNumber)])
      expect(reports.map((each) => each.read(parcel))).toEqual([report])
    })

    it('is verified over its exact bytes', async () => {
      const spaced = JSON.stringify(pushes.update, null, 4)
      expect(await read(spaced, signed(spaced))).toMatchObject({ result: 'read' })
    })

    it('is rejected without a signature, or with several', async () => {
      const wrong = { result: 'wrong signature' }
      expect(await read(body, {})).toEqual(wrong)
      expect(await read(body, { [pushes.header]: '' })).toEqual(wrong)
      expect(await read(body, { [pushes.header]: [pushes.sign(body, secret), 'x'] })).toEqual(wrong)
    })

    it('is rejected with a wrong signature', async () => {
      const wrong = { result: 'wrong signature' }
      expect(await read(body, { [pushes.header]: pushes.sign(body, 'another secret') })).toEqual(wrong)
      expect(await read(body.replace('"', ' "'), signed(body))).toEqual(wrong)
      expect(await read(`${body} `, signed(body))).toEqual(wrong)
      expect(await read(body, { [pushes.header]: pushes.sign(body, '') }, '')).toEqual(wrong)
    })

    it('is verified before it is parsed', async () => {
      expect(await read('{', { [pushes.header]: 'x' })).toEqual({ result: 'wrong signature' })
    })

    it('is ignored if it has no scans', async () => {
      const other = JSON.stringify(pushes.ofNoInterest)
      expect(await read(other, signed(other))).toEqual({ result: 'ignored' })
    })

    it.each(['', '{', 'null', '[]', '"text"'])('is unreadable if it is not an object: %s', async (text) => {
      expect(await read(text, signed(text))).toMatchObject({ result: 'unreadable' })
    })

    it('is unreadable without the parcel', async () => {
      const text = JSON.stringify(pushes.withoutParcel)
      expect(await read(text, signed(text))).toMatchObject({ result: 'unreadable' })
    })
  })
}
