import sharp from 'sharp'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { NotRun } from '../../src/platform/foundation/fair-queue.ts'
import { ImageDecoder } from '../../src/shops/images/image-decoder.ts'
import { claimsOf, fillIn, itemField, open, orderToClaim, photo } from '../harness/claim-form.ts'
import { runJob } from '../harness/deliveries.ts'
import { hostilePictures } from '../harness/hostile-pictures.ts'
import type { FormPart } from '../harness/multipart.ts'
import { attribute, fieldsOf } from '../harness/page-form.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const shop = await makeShop()
const jpeg = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#a33' } })
  .jpeg()
  .toBuffer()

afterEach(() => clock.reset())

/** Valid except that the description is missing. */
const unfinished = { reason: 'damage' }
const finished = { description: 'The box was crushed.' }
const complete = { ...unfinished, ...finished }

/** Makes a complete form come back, with the photos that were stored. */
const unreadable = photo('no photo', 'note.txt')

const storedPhotosIn = (page: string): FormPart[] => fieldsOf(page).filter(({ name }) => name === 'kept_photo')

function picturesIn(page: string): string[] {
  const part = /<ul class="previews">[\s\S]*?<\/ul>/.exec(page)?.[0] ?? ''
  return [...part.matchAll(/<img\b([^>]*)>/g)].map(([, attributes = '']) => attribute(attributes, 'src') ?? '')
}

describe('photos of a claim', () => {
  it('are part of it, and private', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const sent = await fillIn(address, text, complete, [photo(jpeg), photo(jpeg)])
    expect(sent.status).toBe(303)
    const [claim] = await claimsOf(shop, order.uuid)
    expect(claim.image_urls).toHaveLength(2)
    const { pathname, search } = new URL(claim.image_urls[0])
    expect(pathname).toMatch(/^\/v1\/images\/claim-/)
    expect((await open(pathname)).status).toBe(404)
    expect((await open(`${pathname}${search}`)).status).toBe(200)
  })

  it('are not decoded before everything else is right, and are asked for again', async () => {
    const { imageDecoder } = (await theService()).context().services
    const before = imageDecoder.count
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const again = await fillIn(address, text, unfinished, [photo(jpeg), photo(jpeg)])
    expect(again).toMatchObject({ status: 422, text: expect.stringContaining('Choose your photos again') })
    expect(again.text).not.toContain('Everything you entered is still here')
    expect([imageDecoder.count - before, storedPhotosIn(again.text)]).toEqual([0, []])
    expect((await fillIn(address, again.text, finished, [photo(jpeg)])).status).toBe(303)
    expect(imageDecoder.count - before).toBe(1)
    const twice = await fillIn(address, text.replace(/name="form" value="[^"]*"/, ''), complete, [photo(jpeg)])
    expect(twice, 'reported already').toMatchObject({ status: 409 })
    expect(imageDecoder.count - before).toBe(1)
    expect((await claimsOf(shop, order.uuid))[0].image_urls).toHaveLength(1)
  })

  it('are stored and shown if another one is refused, and need not be chosen again', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const again = await fillIn(address, text, complete, [photo(jpeg), photo(jpeg), unreadable])
    expect(again.status).toBe(422)
    expect(storedPhotosIn(again.text)).toHaveLength(2)
    const [picture = ''] = picturesIn(again.text)
    expect(picture).toMatch(/^\/v1\/images\/claim-/)
    expect(await open(picture)).toMatchObject({ status: 200, headers: { 'content-type': 'image/jpeg' } })
    expect((await fillIn(address, again.text, {}, [photo(jpeg)])).status).toBe(303)
    expect((await claimsOf(shop, order.uuid))[0].image_urls).toHaveLength(3)
  })

  it('can be removed again', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const again = await fillIn(address, text, complete, [photo(jpeg), photo(jpeg), unreadable])
    const [first] = storedPhotosIn(again.text)
    await fillIn(address, again.text, { remove_photo: String(first?.content) })
    const [claim] = await claimsOf(shop, order.uuid)
    expect(claim.image_urls).toHaveLength(1)
    expect(claim.image_urls[0]).not.toContain(String(first?.content).split('.')[0])
  })

  it('that are not photos are reported by name, and the others are stored', async () => {
    const { address } = await orderToClaim(shop)
    const { text } = await open(address)
    const files = [photo(jpeg), photo('<svg onload="alert(1)"/>', 'drawing <1>.svg')]
    const again = await fillIn(address, text, complete, files)
    expect(again.status).toBe(422)
    expect(again.text).toContain('href="#photos">drawing &lt;1&gt;.svg is not a photo we can read')
    expect(storedPhotosIn(again.text)).toHaveLength(1)
    expect((await fillIn(address, again.text, {})).status).toBe(303)
  })

  it('that are too large are reported by name, and other input is preserved', async () => {
    const { address } = await orderToClaim(shop)
    const { text } = await open(address)
    const files = [photo(Buffer.alloc(10_000_001 + 500_000), 'huge.jpg'), photo(jpeg)]
    const again = await fillIn(address, text, complete, files)
    expect(again.status).toBe(422)
    expect(again.text).toContain('huge.jpg is larger than 10 MB. Choose a smaller photo')
    expect(storedPhotosIn(again.text)).toHaveLength(1)
    expect(fieldsOf(again.text)).toContainEqual({ name: 'description', content: finished.description })
  })

  it('that would cost too much to decode are reported by name, and everything else is preserved', async () => {
    const { address } = await orderToClaim(shop)
    const { text } = await open(address)
    const costly = photo(await hostilePictures['a GIF of many frames'](), 'frames.gif')
    const again = await fillIn(address, text, complete, [costly, photo(jpeg)])
    expect(again.status).toBe(422)
    expect(again.text).toContain('href="#photos">frames.gif would take too much work to open')
    expect(storedPhotosIn(again.text)).toHaveLength(1)
    expect(fieldsOf(again.text)).toContainEqual({ name: 'description', content: finished.description })
    const german = await fillIn(`${address}?lang=de`, text, complete, [costly])
    expect(german.text).toContain('frames.gif zu öffnen wäre zu aufwendig')
  })

  it('are not decoded while too many wait, and the form says when to send it again', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const decode = vi.spyOn(ImageDecoder.prototype, 'decode').mockRejectedValue(new NotRun('full'))
    const busy = await fillIn(address, text, complete, [photo(jpeg), photo(jpeg)]).finally(() => {
      expect(decode).toHaveBeenCalledTimes(1)
      decode.mockRestore()
    })
    expect(busy).toMatchObject({ status: 429, headers: { 'retry-after': '10' } })
    expect(busy.text).toContain('href="#photos">Many photos are arriving at the moment')
    expect(fieldsOf(busy.text)).toContainEqual({ name: 'description', content: finished.description })
    expect((await fillIn(address, busy.text, {}, [photo(jpeg)])).status).toBe(303)
    expect((await claimsOf(shop, order.uuid))[0].image_urls).toHaveLength(1)
  })

  it('are limited to six', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const files = Array.from({ length: 8 }, () => photo(jpeg))
    const again = await fillIn(address, text, complete, files)
    expect(again).toMatchObject({ status: 422, text: expect.stringContaining('Only 6 photos can be sent') })
    expect(storedPhotosIn(again.text)).toHaveLength(6)
    expect((await fillIn(address, again.text, {})).status).toBe(303)
    expect((await claimsOf(shop, order.uuid))[0].image_urls).toHaveLength(6)
  })

  it('are accepted neither from another order nor under an unknown name', async () => {
    const { address, order } = await orderToClaim(shop)
    const { address: other } = await orderToClaim(shop)
    const kept = storedPhotosIn(
      (await fillIn(other, (await open(other)).text, complete, [photo(jpeg), unreadable])).text,
    )
    const [key = ''] = String(kept[0]?.content).split('.jpg')
    const { text } = await open(address)
    for (const kept_photo of [String(kept[0]?.content), `${key}.jpg.AAAA`, `${key}.jpg`]) {
      const again = await fillIn(address, text, { ...unfinished, kept_photo })
      expect(storedPhotosIn(again.text)).toEqual([])
    }
    await fillIn(address, text, { ...complete, kept_photo: String(kept[0]?.content) })
    expect((await claimsOf(shop, order.uuid))[0].image_urls).toEqual([])
  })

  it('are left out if the reason needs none', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    await fillIn(address, text, { reason: 'return', [itemField(text, 'Rain jacket')]: '1' }, [photo(jpeg)])
    expect((await claimsOf(shop, order.uuid))[0].image_urls).toEqual([])
  })

  it('are removed after a day if the form was never sent, and stay if it was', async () => {
    const { address, order } = await orderToClaim(shop)
    const { address: abandoned } = await orderToClaim(shop)
    const left = await fillIn(abandoned, (await open(abandoned)).text, complete, [photo(jpeg), unreadable])
    await fillIn(address, (await open(address)).text, complete, [photo(jpeg)])
    const [picture = ''] = picturesIn(left.text)
    expect((await open(picture)).status).toBe(200)
    await runJob('abandoned uploads')
    expect((await open(picture)).status, 'not before its time').toBe(200)
    clock.advance(dayMs + 2 * hourMs)
    await runJob('abandoned uploads')
    const [claim] = await claimsOf(shop, order.uuid)
    const { pathname, search } = new URL(claim.image_urls[0])
    expect((await open(`${pathname}${search}`)).status).toBe(200)
    const viewer = await shop.credentials('viewer')
    expect((await open(picture.split('?')[0] ?? '', { auth: viewer })).status).toBe(404)
    const late = await fillIn(abandoned, left.text, {})
    expect(late).toMatchObject({ status: 422, text: expect.stringContaining('Choose your photos again') })
    expect(storedPhotosIn(late.text)).toEqual([])
    expect((await fillIn(abandoned, late.text, {})).status).toBe(303)
  })

  it('cannot fill a disk: their number per hour is limited, and claims are accepted without them', async () => {
    const { address } = await orderToClaim(shop)
    let { text } = await open(address)
    const five = Array.from({ length: 5 }, () => photo(jpeg))
    for (let round = 0; round < 10; round += 1) await fillIn(address, text, complete, [...five, unreadable])
    const refused = await fillIn(address, text, complete, [photo(jpeg)])
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('many photos in a short time') })
    text = refused.text
    expect((await fillIn(address, text, {})).status).toBe(303)
  })
})
