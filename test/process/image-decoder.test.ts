import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NotRun } from '../../src/platform/foundation/fair-queue.ts'
import { type DecoderLimits, ImageDecoder } from '../../src/shops/images/image-decoder.ts'
import { hostilePictures, largePictures } from '../harness/hostile-pictures.ts'
import { multipart } from '../harness/multipart.ts'
import { until } from '../harness/patience.ts'
import { basic, isAlive, makeShop, makeStore, operator, type RunningProcess, start } from '../harness/process.ts'

const small = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#a33' } })
  .png()
  .toBuffer()
/** 80 MB of pixels, all of which an interlaced picture keeps in memory. */
const heavy = await sharp({ create: { width: 5_000, height: 4_000, channels: 4, background: '#a33' } })
  .png({ progressive: true })
  .toBuffer()

function openDecoder(limits: Partial<DecoderLimits> = {}): ImageDecoder {
  const decoder = new ImageDecoder(limits)
  onTestFinished(() => decoder.close())
  return decoder
}

const decode = (decoder: ImageDecoder, image: Uint8Array, group = 'network') =>
  decoder.decode(async () => image, { group })

const stored = { reply: { mediaType: 'image/png', extension: 'png', width: 8, height: 6 } }

/** Of a process in bytes; 0 if the system does not report it. */
function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  if (process.platform !== 'linux') return 0
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) * 1_024
}

describe('decoder of images', () => {
  it.each(Object.entries(hostilePictures))('rejects %s by its header', async (_name, make) => {
    const bytes = await make()
    expect(bytes.length).toBeLessThan(10_000_000)
    const decoder = openDecoder()
    const { reply, data } = await decode(decoder, bytes)
    expect(reply).toMatchObject({ refused: expect.stringMatching(/^too_/) })
    expect([data.length, decoder.count]).toEqual([0, 1])
    expect(memoryOf(decoder.pid, 'VmHWM'), 'nothing was decoded').toBeLessThan(110_000_000)
  })

  it.each(Object.entries(largePictures))('accepts %s in 400 MB', async (_name, make) => {
    const bytes = await make()
    expect(bytes.length, 'the usual limit of an upload').toBeLessThan(10_000_000)
    const decoder = openDecoder()
    // It may need so much for a moment that it is replaced afterwards.
    let peakBytes = 0
    const timer = setInterval(() => {
      if (decoder.pid !== undefined && isAlive(decoder.pid)) peakBytes = memoryOf(decoder.pid, 'VmHWM')
    }, 5)
    const { reply, data } = await decode(decoder, bytes).finally(() => clearInterval(timer))
    expect([3_072, 4_096]).toContain('width' in reply && reply.width)
    expect('bytes' in reply && reply.bytes).toBe(data.length)
    expect(peakBytes).toBeLessThan(400_000_000)
  })

  it('decodes one at a time, and rejects who finds no place', async () => {
    const decoder = openDecoder({ waiting: { known: 1, others: 2 } })
    const jobs = Array.from({ length: 4 }, () => decode(decoder, small).catch((error) => error))
    await until(() => (decoder.count > 0 ? true : undefined))
    expect([decoder.count, decoder.waiting]).toEqual([1, 2])
    const outcomes = await Promise.all(jobs)
    expect(outcomes.filter((outcome) => outcome instanceof NotRun)).toHaveLength(1)
    expect(outcomes.filter((outcome) => 'reply' in outcome)).toMatchObject([stored, stored, stored])
    expect(decoder.count).toBe(3)
  })

  it('lets networks take turns', async () => {
    const decoder = openDecoder()
    const order: string[] = []
    const from = (group: string) => decode(decoder, small, group).then(() => order.push(group))
    await Promise.all([...['one', 'one', 'one', 'one'].map(from), from('another')])
    expect(order.indexOf('another')).toBeLessThanOrEqual(2)
  })

  it.skipIf(process.platform === 'win32')('kills a decoder that hangs, and serves the next image', async () => {
    const decoder = openDecoder({ timeMs: 3_000 })
    await decode(decoder, small)
    const { pid = 0 } = decoder
    process.kill(pid, 'SIGSTOP')
    const [hanging, next] = await Promise.all([decode(decoder, heavy, 'one'), decode(decoder, small, 'another')])
    expect(hanging.reply).toEqual({ refused: 'time' })
    expect(next).toMatchObject(stored)
    expect([isAlive(pid), decoder.pid === pid, decoder.count]).toEqual([false, false, 3])
  })

  it('ends a decoder that takes too much memory, and serves the next image', async () => {
    const decoder = openDecoder({ memoryBytes: 110_000_000 })
    const [large, next] = await Promise.all([decode(decoder, heavy, 'one'), decode(decoder, small, 'another')])
    expect(large.reply).toMatchObject({ refused: 'memory' })
    expect(next).toMatchObject(stored)
  })

  it('ends a decoder that takes too much processor time, and serves the next image', async () => {
    const decoder = openDecoder({ cpuMs: 200 })
    const [slow, next] = await Promise.all([decode(decoder, heavy, 'one'), decode(decoder, small, 'another')])
    expect(slow.reply).toMatchObject({ refused: 'time' })
    expect(next).toMatchObject(stored)
  })

  it('does not blame an image for a decoder that ended before it came', async () => {
    const decoder = openDecoder()
    await decode(decoder, small)
    process.kill(decoder.pid ?? 0, 'SIGKILL')
    expect(await decode(decoder, small)).toMatchObject(stored)
  })

  it('ends its process when no image comes', async () => {
    const decoder = openDecoder({ idleMs: 50 })
    await decode(decoder, small)
    const { pid } = decoder
    await until(() => (decoder.pid === undefined && pid !== undefined && !isAlive(pid) ? true : undefined))
  })
})

describe.skipIf(process.platform !== 'linux')('service and its decoder', () => {
  async function openService(): Promise<RunningProcess> {
    const service = await start({ DATA_DIR: await makeStore(), LOG_LEVEL: 'warn' })
    await makeShop(service, operator, 'photos')
    return service
  }

  async function upload({ url }: RunningProcess, content: Uint8Array): Promise<number> {
    const { payload, headers } = multipart([{ name: 'image', content, filename: 'a', contentType: 'image/png' }])
    const authorization = basic(operator)
    const response = await fetch(`${url}/v1/shops/photos/images/claim`, {
      method: 'POST',
      headers: { ...headers, authorization },
      body: payload as Buffer,
    })
    await response.arrayBuffer()
    return response.status
  }

  function childOf({ child }: RunningProcess): number {
    const tasks = readdirSync(`/proc/${child.pid}/task`)
    const children = tasks.flatMap((task) =>
      readFileSync(`/proc/${child.pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    const decoder = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('decoder-child.js'))
    if (decoder === undefined) throw new Error('there is no decoder')
    return decoder
  }

  it('keeps its own memory and its secrets to itself', async () => {
    const service = await openService()
    expect(await upload(service, small)).toBe(200)
    writeFileSync(`/proc/${service.child.pid}/clear_refs`, '5') // forgets the peak of the start
    const before = memoryOf(service.child.pid, 'VmRSS')
    expect(await upload(service, heavy)).toBe(200)
    expect(await upload(service, await hostilePictures['an interlaced 16-bit PNG']())).toBe(415)
    expect(await upload(service, await largePictures['a photo of 48 megapixels']())).toBe(200)
    expect(memoryOf(service.child.pid, 'VmHWM') - before).toBeLessThan(64_000_000)
    expect(readFileSync(`/proc/${service.child.pid}/maps`, 'utf8')).not.toContain('libvips')
    const decoder = childOf(service)
    expect(readFileSync(`/proc/${decoder}/maps`, 'utf8')).toContain('libvips')
    expect(readFileSync(`/proc/${decoder}/environ`, 'utf8').split('\0').sort()).toEqual([
      '',
      'MALLOC_ARENA_MAX=2',
      'MALLOC_TRIM_THRESHOLD_=131072',
    ])
  })

  it('end together, whether the service stops or dies', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const service = await openService()
      expect(await upload(service, small)).toBe(200)
      const decoder = childOf(service)
      service.child.kill(signal)
      await service.ended
      await until(() => (isAlive(decoder) ? undefined : true))
    }
  })
})
