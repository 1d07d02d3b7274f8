import sharp from 'sharp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { after, hourMs } from '../../src/platform/foundation/clock.ts'
import { NotRun } from '../../src/platform/foundation/fair-queue.ts'
import { signedImageUrl } from '../../src/shops/images/address.ts'
import { ImageDecoder } from '../../src/shops/images/image-decoder.ts'
import { hostilePictures } from '../harness/hostile-pictures.ts'
import { type FormPart, multipart } from '../harness/multipart.ts'
import { call, clock, type Reply, superadmin, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 60, b: 20 } } })

const smallPng = await blank(8, 6).png().toBuffer()

const file = (
  content: string | Uint8Array,
  filename = 'image.bin',
  contentType = 'application/octet-stream',
): FormPart => ({
  name: 'image',
  content,
  filename,
  contentType,
})

function send(shop: TestShop, parts: FormPart[], path = '/images', headers: Record<string, string> = {}) {
  const form = multipart(parts)
  return shop.as('editor').post(path, undefined, { ...form, headers: { ...form.headers, ...headers } })
}

const upload = (shop: TestShop, content: string | Uint8Array, imageType = 'logo') =>
  send(shop, [{ name: 'image_type', content: imageType }, file(content)])

const pathOf = (url: string) => url.replace('https://doorstep.example', '')

/** Reads an image as bytes. */
async function download(reply: Reply) {
  const { app } = await theService()
  return (await app.inject({ url: pathOf(reply.body.url) })).rawPayload
}

describe('uploading an image', () => {
  it('returns the URL of the image, and serves it from there', async () => {
    const shop = await makeShop()
    const { status, body, headers } = await upload(shop, smallPng)
    expect(status).toBe(200)
    expect(body).toEqual({ url: expect.any(String), image_type: 'logo', shop_slug: shop.slug })
    expect(headers.location).toBe(pathOf(body.url))
    expect(body.url).toMatch(/^https:\/\/doorstep\.example\/v1\/images\/logo-[\w-]{22}-[A-Za-z0-9]{24}\.png$/)
    const read = await call('GET', pathOf(body.url), { auth: null })
    expect(read).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-disposition': 'inline',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        etag: expect.stringMatching(/^"logo-.+\.png"$/),
      },
    })
  })

  it('accepts the type in the path as well, and the file before the fields', async () => {
    const shop = await makeShop()
    const byPath = await send(shop, [file(smallPng)], '/images/background')
    expect(byPath).toMatchObject({ status: 200, body: { image_type: 'background' } })
    const fileFirst = await send(shop, [file(smallPng), { name: 'image_type', content: 'voucher' }])
    expect(fileFirst).toMatchObject({ status: 200, body: { image_type: 'voucher' } })
  })

  it('turns a photograph upright and removes its metadata', async () => {
    const shop = await makeShop()
    const photograph = await blank(60, 40)
      .jpeg()
      .withExif({
        IFD0: { Make: 'SecretCamera', Copyright: 'SecretOwner' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '52/1 31/1 12/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '13/1 24/1 0/1',
        },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const before = await sharp(photograph).metadata()
    expect(before).toMatchObject({ orientation: 6, width: 60, height: 40 })
    expect(photograph.includes('SecretCamera')).toBe(true)
    expect(before.exif?.includes(Buffer.from([0x25, 0x88])), 'the tag of a place').toBe(true)

    const reply = await upload(shop, photograph)
    expect(reply.body.url).toMatch(/\.jpg$/)
    const stored = await download(reply)
    const metadata = await sharp(stored).metadata()
    expect(metadata).toMatchObject({ format: 'jpeg', width: 40, height: 60 })
    expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.icc, metadata.orientation]).toEqual(
      Array(5).fill(undefined),
    )
    for (const trace of ['Exif', 'Secret', 'secret', 'xmpmeta']) expect(stored.includes(trace)).toBe(false)
  })

  it('goes by the content, not by the name or the declared type', async () => {
    const shop = await makeShop()
    const type = { name: 'image_type', content: 'product' }
    const { body } = await send(shop, [type, file(smallPng, 'photo.jpg', 'image/jpeg')])
    expect((await call('GET', pathOf(body.url))).headers['content-type']).toBe('image/png')
    const disguised = await send(shop, [type, file('<script>alert(1)</script>', 'photo.png', 'image/png')])
    expect(disguised).toMatchObject({ status: 415, body: { key: 'image_media_unsupported' } })
  })

  it('preserves GIF and WebP animations', async () => {
    const shop = await makeShop()
    const frames = [smallPng, await blank(8, 6).negate().png().toBuffer()]
    const joined = () => sharp(frames, { join: { animated: true } })
    const moving = {
      gif: await joined()
        .gif({ delay: [100, 200], loop: 3 })
        .toBuffer(),
      webp: await joined()
        .webp({ delay: [100, 200], loop: 3 })
        .toBuffer(),
    }
    for (const [format, bytes] of Object.entries(moving)) {
      const metadata = await sharp(await download(await upload(shop, bytes))).metadata()
      expect(metadata).toMatchObject({ format, pages: 2, delay: [100, 200], loop: 3, width: 8, height: 6 })
    }
    const cut = moving.gif.subarray(0, moving.gif.length - 20)
    expect(await upload(shop, cut)).toMatchObject({ status: 415 })
  })

  it('reads AVIF and stores it as WebP', async () => {
    const reply = await upload(await makeShop(), await blank(16, 16).avif({ effort: 0 }).toBuffer())
    expect(await sharp(await download(reply)).metadata()).toMatchObject({ format: 'webp', width: 16 })
  })

  it('limits the longest side', async () => {
    const reply = await upload(await makeShop(), await blank(5_000, 50).png().toBuffer())
    expect(await sharp(await download(reply)).metadata()).toMatchObject({ width: 4_096, height: 41 })
  })

  it('rejects everything that is not a complete image of a supported kind', async () => {
    const shop = await makeShop()
    const noise = sharp({
      create: {
        width: 90,
        height: 90,
        channels: 3,
        background: 'black',
        noise: { type: 'gaussian', mean: 99, sigma: 40 },
      },
    })
    const half = async (image: Promise<Buffer>) => (await image).subarray(0, Math.floor((await image).length / 2))
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0heicmif1'), Buffer.alloc(64)])
    const refused = {
      svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
      pdf: '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF',
      text: 'just words',
      empty: '',
      heic,
      tiff: await noise.clone().tiff().toBuffer(),
      'half a JPEG': await half(noise.clone().jpeg().toBuffer()),
      'half a PNG': await half(noise.clone().png().toBuffer()),
      'half a WebP': await half(noise.clone().webp().toBuffer()),
      'half a GIF': await half(noise.clone().gif().toBuffer()),
      'half an AVIF': await half(noise.clone().avif({ effort: 0 }).toBuffer()),
    }
    for (const [name, content] of Object.entries(refused)) {
      const reply = await upload(shop, content)
      expect(reply, name).toMatchObject({ status: 415, body: { key: 'image_media_unsupported' } })
      expect(reply.body.message, name).toContain('JPEG, PNG, WebP, GIF or AVIF')
    }
  })

  it('rejects a small file that would unpack to a huge image', async () => {
    const bomb = await blank(9_000, 9_000).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(1_000_000)
    const { status, body } = await upload(await makeShop(), bomb)
    expect([status, body.message]).toEqual([415, expect.stringContaining('64 million pixels')])
  })

  it('names what makes an image too costly', async () => {
    const shop = await makeShop()
    const large = await upload(shop, await hostilePictures['a large AVIF']())
    expect(large).toMatchObject({ status: 415, body: { key: 'image_media_unsupported' } })
    expect(large.body.message).toContain('would take 72 MB: its width, height, channels, depth and frames multiplied')
    const scans = await upload(shop, await hostilePictures['a progressive JPEG of many scans']())
    expect(scans.body.message).toContain('progressive JPEG with more than 100 scans')
  })

  it('decodes nothing of a form that is not valid, and asks to come back while too many wait', async () => {
    const shop = await makeShop()
    const { imageDecoder } = (await theService()).context().services
    const before = imageDecoder.count
    expect(await upload(shop, smallPng, 'selfie')).toMatchObject({ status: 422 })
    expect(await send(shop, [file(smallPng)])).toMatchObject({ status: 422 })
    expect(imageDecoder.count - before).toBe(0)
    const decode = vi.spyOn(ImageDecoder.prototype, 'decode').mockRejectedValueOnce(new NotRun('full'))
    onTestFinished(() => decode.mockRestore())
    const busy = await upload(shop, smallPng)
    expect(busy).toMatchObject({ status: 429, headers: { 'retry-after': '10' }, body: { key: 'rate_limited' } })
    expect(decode.mock.calls[0]?.[1]).toMatchObject({ isKnown: true, group: [expect.any(String), '127.0.0'] })
  })

  it('rejects a file over the limit', async () => {
    const reply = await upload(await makeShop(), Buffer.concat([smallPng, Buffer.alloc(10_000_001)]))
    expect(reply).toMatchObject({ status: 413, body: { key: 'invalid_payload' } })
  })

  it('reports what is missing or wrong in the form', async () => {
    const shop = await makeShop()
    const type = { name: 'image_type', content: 'logo' }
    const problems = async (reply: Promise<Reply>) => {
      const { status, body } = await reply
      expect([status, body.key]).toEqual([422, 'invalid_payload'])
      return body.errors.map((error: { loc: string[]; type: string }) => `${error.loc.join('.')} ${error.type}`)
    }
    expect(await problems(send(shop, [type]))).toEqual(['body.image missing'])
    expect(await problems(send(shop, [type, { name: 'image', content: 'no file' }]))).toEqual(['body.image missing'])
    expect(await problems(send(shop, [file(smallPng)]))).toEqual(['body.image_type missing'])
    expect(await problems(upload(shop, smallPng, 'selfie'))).toEqual(['body.image_type value_error'])
    expect(await problems(send(shop, [file(smallPng)], '/images/selfie'))).toEqual(['path.image_type value_error'])
    expect(await shop.as('editor').post('/images', { image_type: 'logo' })).toMatchObject({ status: 415 })
  })

  it('needs an editor of the shop', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const form = multipart([{ name: 'image_type', content: 'logo' }, file(smallPng)])
    const path = `/v1/shops/${shop.slug}/images`
    expect(await call('POST', path, { ...form, auth: null })).toMatchObject({ status: 400 })
    expect(await shop.as('viewer').post('/images', undefined, form)).toMatchObject({ status: 403 })
    const stranger = await other.credentials('admin')
    expect(await call('POST', path, { ...form, auth: stranger })).toMatchObject({ status: 403 })
  })

  it('returns the first image to a repeated request, and rejects its key for another file', async () => {
    const shop = await makeShop()
    const key = { 'idempotency-key': 'upload-1' }
    const parts = (content: Uint8Array) => [{ name: 'image_type', content: 'logo' }, file(content)]
    const first = await send(shop, parts(smallPng), '/images', key)
    const again = await send(shop, parts(smallPng), '/images', key)
    expect(again.body).toEqual(first.body)
    const another = await send(shop, parts(await blank(3, 3).png().toBuffer()), '/images', key)
    expect(another).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
  })

  it('rejects an incomplete form', async () => {
    const shop = await makeShop()
    const whole = multipart([{ name: 'image_type', content: 'logo' }, file(smallPng)])
    const broken = [
      { ...whole, payload: Buffer.from(whole.payload ?? '').subarray(0, 200) },
      { ...whole, headers: { 'content-type': 'multipart/form-data' } },
      multipart([{ name: '__proto__', content: 'x' }, file(smallPng)]),
    ]
    for (const form of broken) {
      expect(await shop.as('editor').post('/images', undefined, form)).toMatchObject({ status: 422 })
    }
  })
})

describe('reading an image', () => {
  it('returns 404 for what does not exist and for images of a deleted shop', async () => {
    const shop = await makeShop()
    const { url } = (await upload(shop, smallPng)).body
    const unknown = pathOf(url).replace(/-[A-Za-z0-9]{24}\./, `-${'x'.repeat(24)}.`)
    expect(await call('GET', unknown)).toMatchObject({ status: 404, body: { key: 'image_not_found' } })
    await call('DELETE', `/v1/shops/${shop.slug}`)
    expect(await call('GET', pathOf(url))).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
  })

  it('accepts no key that could lead out of the folder', async () => {
    for (const key of ['..%2F..%2Fetc%2Fpasswd', '.hidden.png', 'logo.png', 'logo-x%00.png']) {
      expect(await call('GET', `/v1/images/${key}`)).toMatchObject({ status: 422 })
    }
  })

  it('shows claim and signature images only to keys of the shop', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    for (const imageType of ['claim', 'signature']) {
      const path = pathOf((await upload(shop, smallPng, imageType)).body.url)
      const hidden = { status: 404, body: { key: 'image_not_found' } }
      expect(await call('GET', path, { auth: null })).toMatchObject(hidden)
      expect(await call('GET', path, { auth: await other.credentials('admin') })).toMatchObject(hidden)
      expect(await call('GET', path, { auth: { username: 'x', apiKey: 'wrong' } })).toMatchObject({ status: 401 })
      for (const auth of [await shop.credentials('viewer'), superadmin]) {
        expect(await call('GET', path, { auth })).toMatchObject({
          status: 200,
          headers: { 'cache-control': 'private, max-age=300', 'content-type': 'image/png' },
        })
      }
    }
  })

  it('serves a private image by a signed URL until it expires, and by no altered one', async () => {
    const shop = await makeShop()
    const service = await theService()
    const keyOf = (reply: Reply) => reply.body.url.split('/').at(-1)
    const [first, second] = [await upload(shop, smallPng, 'claim'), await upload(shop, smallPng, 'claim')]
    const signed = pathOf(signedImageUrl(service.context(), keyOf(first), after(clock.now(), hourMs)))
    expect(await call('GET', signed, { auth: null })).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'private, max-age=300', 'content-type': 'image/png' },
    })
    const expires = Number(/expires=(\d+)/.exec(signed)?.[1])
    const altered = [
      signed.replace(`expires=${expires}`, `expires=${expires + 1}`),
      signed.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      signed.replace(/&signature=.*/, ''),
      signed.replace(/&signature=.*/, '&signature='),
      signed.replace(/expires=\d+&/, ''),
      signed.replace(keyOf(first), keyOf(second)),
    ]
    for (const path of altered) expect(await call('GET', path, { auth: null }), path).toMatchObject({ status: 404 })
    clock.advance(hourMs)
    try {
      expect(await call('GET', signed, { auth: null })).toMatchObject({ status: 404 })
    } finally {
      clock.reset()
    }
  })

  it('gives every upload an address of its own', async () => {
    const shop = await makeShop()
    const replies = [await upload(shop, smallPng), await upload(shop, smallPng)]
    expect(new Set(replies.map((reply) => reply.body.url)).size).toBe(2)
  })
})
