import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { findProblems } from '../harness/accessibility.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { openStage, takePicture } from '../harness/stage.ts'
import { shareWindow } from '../harness/windows.ts'

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const desk: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
const picture = await plain(120, 120, '#7b8f6a').png().toBuffer()
/** As a phone takes photos: rotated by metadata, and far larger than needed. */
const photo = {
  name: 'IMG_0001.jpg',
  mimeType: 'image/jpeg',
  buffer: await plain(2_400, 1_800, '#b9855c').withMetadata({ orientation: 6 }).jpeg().toBuffer(),
}
const otherPhoto = { name: 'box.png', mimeType: 'image/png', buffer: await plain(400, 300, '#5c7bb9').png().toBuffer() }

describeInBrowser('claim form in a browser', () => {
  let browser: Browser
  let shop: TestShop
  let origin: string

  beforeAll(async () => {
    const { service, ...opened } = await openStage()
    browser = opened.browser
    origin = opened.origin
    shop = await makeShop({ name: 'River & Pine', shop_service_url: 'https://shop.example/service' }, service)
  })

  async function formOf(parcels = 1): Promise<string> {
    const number = uniqueNumber()
    const trackings = Array.from({ length: parcels }, () => ({
      tracking_number: uniqueNumber('003404341610'),
      carrier_reference: 'dhl',
    }))
    await shop.as('editor').put('/orders', upsertOf(number, {}, trackings))
    const { body } = await shop.as('editor').post('/orders/trackpage-url', { id: number })
    return `${origin}${new URL(body.url).pathname}/claim`
  }

  interface Visit {
    page: Page
    complaints: string[]
    requested: string[]
    /** Checks the accessibility of the page in this state, and saves a screenshot. */
    check(state: string): Promise<void>
  }

  async function visit(address: string, options: BrowserContextOptions, name: string): Promise<Visit> {
    const context = await shareWindow(browser, options)
    const page = await context.newPage()
    const complaints: string[] = []
    const requested: string[] = []
    // Product images are hosted by the shop.
    await page.route('https://shop.example/**', (route) => route.fulfill({ body: picture, contentType: 'image/png' }))
    page.on('request', (request) => requested.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(address)
    const width = options.viewport?.width ?? 0
    const check = async (state: string) => {
      expect(await findProblems(page), state).toEqual([])
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate(overflow), `${state} fits`).toBe(0)
      await takePicture(page, `claim-${name}-${state}-${width}`)
    }
    expect(await context.cookies(), 'what an earlier visit left').toEqual([])
    return { page, complaints, requested, check }
  }

  const sign = async (page: Page) => {
    const pad = page.locator('canvas')
    await pad.scrollIntoViewIfNeeded()
    const box = await pad.boundingBox()
    if (box === null) throw new Error('there is no box to sign in')
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
    await page.mouse.move(...at(0.2, 0.6))
    await page.mouse.down()
    for (let step = 0; step <= 24; step += 1) {
      await page.mouse.move(...at(0.2 + step * 0.022, 0.5 + 0.28 * Math.sin(step / 1.6)))
    }
    await page.mouse.up()
  }

  it.each([phone, desk])('is filled in with photos and a signature, corrected and sent (%j)', async (device) => {
    const { page, complaints, requested, check } = await visit(await formOf(), device, 'form')
    await check('1-start')
    expect(await page.locator('#description').isVisible(), 'no field is shown before there is a reason').toBe(false)
    await page.getByText('Some items are damaged').click()
    expect(await page.getByText('Take a photo').isVisible(), 'offered on phones').toBe(device === phone)
    await page.locator('.pick').scrollIntoViewIfNeeded()
    await takePicture(page, `claim-form-camera-${device.viewport?.width}`)
    await check('2-reason')
    expect(await page.getByText('Did you allow the carrier').isVisible()).toBe(false)
    await page.getByLabel('Rain jacket').check()
    await page.getByLabel('How many of Socks').selectOption('2')
    await page.locator('#photos').setInputFiles([photo, otherPhoto])
    await page.locator('.preview.new').nth(1).waitFor()
    const [smaller] = await sizesOf(page, '#photos')
    expect(smaller, 'made smaller before it is sent').toEqual({ name: 'IMG_0001.jpg', width: 1_500, height: 2_000 })
    await page.getByRole('button', { name: 'Remove photo 2' }).click()
    await page.locator('#photos').setInputFiles([otherPhoto])
    await page.locator('.preview.new').nth(1).waitFor()
    await sign(page)
    await page.getByText('Give me my money back').click()
    await check('3-filled')
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.locator('#errors').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('errors')
    await check('4-problem')
    await page.getByText('Choose your photos again').first().waitFor()
    await page.locator('#photos').setInputFiles([photo, otherPhoto])
    await page.locator('.preview.new').nth(1).waitFor()
    await sign(page)
    await page.getByRole('link', { name: 'Tell us in a few words' }).click()
    expect(await page.evaluate('document.activeElement.id')).toBe('description')
    await page.keyboard.type('A sleeve is torn, and one sock has a hole.')
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByText('Thank you, your report has reached us.').waitFor()
    await check('5-sent')
    const { claims } = (await shop.as('viewer').get('/claims', { reason: 'partial_damage' })).body
    expect(claims[0]).toMatchObject({
      resolution_preference: 'refund',
      description: 'A sleeve is torn, and one sock has a hole.',
      selected_items: [{ quantity: 1 }, { quantity: 2 }],
      image_urls: [expect.anything(), expect.anything()],
      customer_signature_image_url: expect.stringContaining('signature-'),
    })
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
    const others = requested.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))
    expect(others.filter((url) => !url.startsWith('https://shop.example/'))).toEqual([])
    await page.close()
  })

  it('is filled in and sent with the keyboard alone', async () => {
    const { page } = await visit(await formOf(), desk, 'keyboard')
    const tabTo = async (id: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab')
        if ((await page.evaluate('document.activeElement.id')) === id) return
      }
      throw new Error(`the keyboard does not come to ${id}`)
    }
    await tabTo('reason')
    await page.keyboard.press('Space')
    expect(await page.evaluate('document.activeElement.value')).toBe('investigation')
    await tabTo('description')
    await page.keyboard.type('My neighbours have not got it either.')
    await tabTo('dropoff')
    await page.keyboard.press('ArrowDown')
    await tabTo('signature')
    await page.keyboard.type('Ada Example')
    await tabTo('resolution')
    await page.keyboard.press('ArrowDown')
    await takePicture(page, 'claim-keyboard-1280')
    await tabTo('send')
    await page.keyboard.press('Enter')
    await page.getByText('Thank you, your report has reached us.').waitFor()
    const { claims } = (await shop.as('viewer').get('/claims', { reason: 'investigation' })).body
    expect(claims[0]).toMatchObject({ dropoff_permission: false, resolution_preference: 'reorder' })
    expect(claims[0].step_user_input[0].user_input.input_value).toBe('Ada Example')
    await page.close()
  })

  it.each([phone, desk])('works without script (%j)', async (device) => {
    const { page } = await visit(await formOf(), { ...device, javaScriptEnabled: false }, 'plain')
    await page.getByText('Everything arrived damaged').click()
    await page.locator('#description').fill('The box was crushed.')
    await page.locator('#photos').setInputFiles([otherPhoto])
    expect(await page.locator('canvas').isVisible()).toBe(false)
    await page.locator('#signature').fill('Ada Example')
    await takePicture(page, `claim-plain-${device.viewport?.width}`)
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByText('Thank you, your report has reached us.').waitFor()
    const { claims } = (await shop.as('viewer').get('/claims', { reason: 'damage' })).body
    expect(claims[0]).toMatchObject({ description: 'The box was crushed.', image_urls: [expect.anything()] })
    await page.close()
  })

  it.each([phone, desk])('starts with the choice of a parcel if there are several (%j)', async (device) => {
    const { page, check } = await visit(await formOf(3), device, 'parcels')
    await check('choice')
    await page.getByRole('link', { name: 'Parcel 2' }).click()
    await page.getByText('I have a question').click()
    await check('chosen')
    await page.locator('#description').fill('How do I wash it?')
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByText('Thank you').waitFor()
    await page.goBack()
    await page.reload()
    await page.getByText('What you have reported already').waitFor()
    await check('open')
    await page.close()
  })

  it('is accessible in dark mode, at 320 pixels, and before anything has been sent', async () => {
    const night: BrowserContextOptions = {
      ...phone,
      viewport: { width: 320, height: 640 },
      colorScheme: 'dark',
      reducedMotion: 'reduce',
    }
    const { page, check } = await visit(await formOf(), night, 'night')
    await page.getByText('My parcel has not arrived').click()
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.locator('#errors').waitFor()
    await check('problem')
    await page.close()
    const number = uniqueNumber()
    await shop.as('editor').put('/orders', upsertOf(number))
    const { body } = await shop.as('editor').post('/orders/trackpage-url', { id: number })
    const early = await visit(`${origin}${new URL(body.url).pathname}/claim`, desk, 'nothing')
    await early.page.getByRole('heading', { name: 'Your parcel has not left us yet' }).waitFor()
    await early.check('sent')
    await early.page.close()
  })
})

/** The files of a file field, as the browser would send them. */
function sizesOf(page: Page, field: string): Promise<{ name: string; width: number; height: number }[]> {
  return page.evaluate(`Promise.all([...document.querySelector('${field}').files].map(async (file) => {
    const { width, height } = await createImageBitmap(file)
    return { name: file.name, width, height }
  }))`)
}
