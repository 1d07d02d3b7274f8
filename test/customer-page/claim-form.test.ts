import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import { type ClaimReason, claimReasons } from '../../src/claims/claims/schema.ts'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { addressOf, claimsOf, fillIn, itemField, open, orderToClaim, photo, sendParts } from '../harness/claim-form.ts'
import { createOrder, orderOf, uniqueNumber } from '../harness/orders.ts'
import { fieldsOf, withFields } from '../harness/page-form.ts'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const shop = await makeShop({ shop_service_url: 'https://shop.example/service' })
const signature = await sharp({ create: { width: 60, height: 20, channels: 3, background: '#fff' } })
  .png()
  .toBuffer()

afterEach(() => clock.reset())

const question = { reason: 'support', description: 'How do I wash it?' }

describe('claim form', () => {
  it('has fields for the problem and the items, is protected and hidden from search engines', async () => {
    const { address, order } = await orderToClaim(shop)
    const { status, text, headers } = await open(address)
    expect(status).toBe(200)
    for (const reason of claimReasons) expect(text).toContain(`name="reason" value="${reason}"`)
    expect(text).toContain('Rain jacket')
    expect(text).toContain('None</option>')
    expect(text).toContain('2 of 2</option>')
    expect(text).not.toContain('3 of 2')
    expect(text).toContain('Up to 6 photos, each at most 10 MB')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['x-robots-tag']).toContain('noindex')
    expect(headers['set-cookie']).toBeUndefined()
    for (const personal of [order.email_id, 'Ada Example', 'Example Street']) expect(text).not.toContain(personal)
  })

  it('has the chosen language on every page of the form and back', async () => {
    const { address, orderAddress } = await orderToClaim(shop)
    const { text } = await open(`${address}?lang=de`)
    expect(text).toContain('<html lang="de">')
    expect(text).toContain(`action="${address}?lang=de"`)
    expect(text).toContain(`href="${orderAddress}?lang=de"`)
    const sent = await fillIn(`${address}?lang=de`, text, question)
    expect(sent.headers.location).toMatch(`${orderAddress}?lang=de#report-`)
  })

  const filled: Record<ClaimReason, Record<string, string>> = {
    damage: { description: 'The box was crushed.', resolution: 'refund' },
    partial_damage: { description: 'A sleeve is torn.', resolution: 'keep_with_reward', signature_name: 'Ada Example' },
    investigation: { dropoff: 'no', signature_name: 'Ada Example', resolution: 'reorder' },
    support: { description: 'How do I wash it?' },
    return: { resolution: 'refund' },
    dissatisfied_with_product: { description: 'It is too thin.' },
    wrong_product: { description: 'I ordered M and got S.', resolution: 'reorder' },
    missing_product: {},
  }
  const jacket = { sku: 'RJ-42', title: 'Rain jacket', quantity: 1, net_price: 89.9 }
  const socks = { sku: 'SO-1', title: 'Socks', quantity: 2 }
  const typed = [
    {
      step_id: 'signature',
      user_input: {
        input_type: 'text',
        input_value: 'Ada Example',
        translated_question: 'Your full name',
        translated_answer: 'Ada Example',
      },
    },
  ]
  const wanted: Record<ClaimReason, Record<string, unknown>> = {
    damage: { selected_items: [jacket, socks], resolution_preference: 'refund', net_invoice_amount: 89.9 },
    partial_damage: {
      selected_items: [jacket],
      resolution_preference: 'keep_with_reward',
      description: 'A sleeve is torn.',
      step_user_input: typed,
    },
    investigation: {
      selected_items: [jacket, socks],
      resolution_preference: 'reorder',
      description: null,
      dropoff_permission: false,
      step_user_input: typed,
    },
    support: { selected_items: [], resolution_preference: null, description: 'How do I wash it?' },
    return: { selected_items: [jacket], resolution_preference: 'refund', description: null },
    dissatisfied_with_product: { selected_items: [jacket], resolution_preference: null },
    wrong_product: { selected_items: [jacket], resolution_preference: 'reorder', dropoff_permission: null },
    missing_product: { selected_items: [jacket], description: null, step_user_input: null },
  }

  it.each(claimReasons)('creates a claim with the reason %s, and leads to its status', async (reason) => {
    const { address, orderAddress, order, shipments } = await orderToClaim(shop)
    const { text } = await open(address)
    const items = ['damage', 'investigation', 'support'].includes(reason)
      ? {}
      : { [itemField(text, 'Rain jacket')]: '1' }
    const { status, headers } = await fillIn(address, text, { reason, ...filled[reason], ...items })
    expect(status).toBe(303)
    const [claim, ...others] = await claimsOf(shop, order.uuid)
    expect(others).toEqual([])
    expect(headers.location).toBe(`${orderAddress}#report-${claim.uuid}`)
    expect(claim).toMatchObject({ reason, status: 'pending', shipment_id: shipments[0], ...wanted[reason] })
  })

  it('stores only what the reason needs, whatever was entered for another', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    await fillIn(address, text, {
      ...question,
      [itemField(text, 'Socks')]: '2',
      dropoff: 'yes',
      signature_name: 'Ada',
      resolution: 'refund',
    })
    expect(await claimsOf(shop, order.uuid)).toMatchObject([
      { selected_items: [], dropoff_permission: null, step_user_input: null, resolution_preference: null },
    ])
  })
})

describe('problem of a form', () => {
  it('is shown at the top and at its field, and all input is preserved', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const hostile = '<script>alert("1")</script>\n\nSecond & third'
    const entered = {
      reason: 'investigation',
      description: hostile,
      [itemField(text, 'Socks')]: '2',
      resolution: 'reorder',
    }
    const { status, text: again } = await fillIn(address, text, entered)
    expect(status).toBe(422)
    expect(again).toContain('<title>Please check: Report a problem')
    expect(again).toContain('There are 2 problems')
    expect(again).toContain('Everything you entered is still here')
    expect(again).toMatch(/id="errors" role="alert"[\s\S]*href="#dropoff"[\s\S]*href="#signature"/)
    for (const target of ['dropoff', 'signature']) expect(again).toContain(`id="${target}"`)
    expect(again).toMatch(
      /role="radiogroup" aria-labelledby="dropoff-legend" aria-invalid="true" aria-describedby="dropoff-hint dropoff-problem"/,
    )
    expect(again).toMatch(/id="signature"[^>]*aria-invalid="true" aria-describedby="signature-problem"/)
    expect(again).not.toContain('<script>alert')
    const kept = Object.fromEntries(fieldsOf(again).map(({ name, content }) => [name, content]))
    expect(kept).toMatchObject(entered)
    expect(await claimsOf(shop, order.uuid)).toEqual([])
    const mended = await fillIn(address, again, { dropoff: 'unknown', signature_name: 'Ada Example' })
    expect(mended.status).toBe(303)
    expect(await claimsOf(shop, order.uuid)).toMatchObject([{ description: hostile, dropoff_permission: null }])
  })

  it.each([
    [{}, '#reason', 'Choose what went wrong'],
    [{ reason: 'sabotage' }, '#reason', 'Choose what went wrong'],
    [{ reason: 'support', description: ' \r\n ' }, '#description', 'Tell us in a few words'],
    [{ ...question, description: 'x'.repeat(10_001) }, '#description', 'Shorten your text to 10,000 characters'],
    [{ ...question, resolution: 'sue' }, '#resolution', 'Choose what you would like us to do'],
    [{ reason: 'return' }, '#item-', 'Choose at least one item'],
    [{ reason: 'investigation', dropoff: 'no', signature_name: 'A'.repeat(201) }, '#signature', 'Shorten your name'],
  ])('is shown for %j', async (entered, target, words) => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const { status, text: again } = await fillIn(address, text, entered)
    expect(status).toBe(422)
    expect(again).toContain('There is a problem')
    expect(again).toMatch(new RegExp(`href="${target}[^"]*">${words}`))
    expect(await claimsOf(shop, order.uuid)).toEqual([])
  })

  it.each([
    ['Socks', '3', 'Socks: only 2 were sent, so choose 2 at most'],
    ['Rain jacket', '2', 'Rain jacket: only 1 was sent, so choose 1 at most'],
    ['Socks', '-1', 'Socks: enter a whole number'],
    ['Socks', '1.5', 'Socks: enter a whole number'],
  ])('is a higher quantity of an item than was sent: %s, %s', async (title, quantity, words) => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const field = itemField(text, title)
    const { status, text: again } = await fillIn(address, text, { reason: 'return', [field]: quantity })
    expect(status).toBe(422)
    expect(again).toContain(`<a href="#${field}">${words}</a>`)
    expect(await claimsOf(shop, order.uuid)).toEqual([])
  })

  it('is shown as text if the body is not a form', async () => {
    const { address } = await orderToClaim(shop)
    const { status, headers } = await sendParts(address, [])
    expect(status).toBe(422)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
  })
})

describe('item', () => {
  it('is claimed as often as it was in this parcel, not in the order', async () => {
    const number = uniqueNumber()
    const trackings = [1, 2].map((quantity) => ({
      tracking_number: uniqueNumber('T-'),
      products: [{ title: 'Socks', quantity, sku: 'SO-1', price: 3 }],
    }))
    await shop.as('editor').put('/orders', { id: number, order: orderOf(number), trackings })
    const order = (await shop.as('viewer').get('/orders', { order_number: number })).body[0]
    const address = `${await addressOf(shop, number)}/claim`
    const [first, second] = order.trackings.map(({ uuid }: { uuid: string }) => uuid)
    const one = await open(`${address}?shipment=${first}`)
    expect(one.text).toContain('type="checkbox" id="item-')
    const two = await open(`${address}?shipment=${second}`)
    const { status } = await fillIn(address, two.text, { reason: 'return', [itemField(two.text, 'Socks')]: '2' })
    expect(status).toBe(303)
    expect(await claimsOf(shop, order.uuid)).toMatchObject([
      { shipment_id: second, selected_items: [{ quantity: 2 }], net_invoice_amount: 6 },
    ])
  })

  it('has a number field if many were sent, and may have a long name', async () => {
    const title = 'Very long name '.repeat(20).trim()
    const { address, order } = await orderToClaim(shop, { products: [{ title, quantity: 500 }, { title }, { title }] })
    const { text } = await open(address)
    expect(text).toContain('max="500"')
    const names = [...text.matchAll(/name="(item-[\w-]+)"/g)].map(([, name]) => name ?? '')
    expect(new Set(names).size, 'two lines of the same product are two fields').toBe(3)
    await fillIn(address, text, { reason: 'missing_product', [names[0] ?? '']: '499', [names[2] ?? '']: '1' })
    expect((await claimsOf(shop, order.uuid))[0].selected_items).toMatchObject([{ quantity: 499 }, { quantity: 1 }])
  })

  it('is named by the order if its parcel has ids only', async () => {
    const number = uniqueNumber()
    const products = [{ product_id: 'p2', variant_id: 'v2', quantity: 1 }]
    const trackings = [{ tracking_number: uniqueNumber('T-'), products }]
    await shop.as('editor').put('/orders', { id: number, order: orderOf(number), trackings })
    const { text } = await open(`${await addressOf(shop, number)}/claim`)
    expect(text).toContain('Socks')
    expect(text).not.toContain('Rain jacket')
  })

  it('is not claimed with a damaged parcel if it is unknown which parcel it was in', async () => {
    const { address, order, shipments } = await orderToClaim(shop, {}, 2)
    const { text } = await open(`${address}?shipment=${shipments[0]}`)
    await fillIn(address, text, { reason: 'damage', description: 'The box was crushed.' })
    expect(await claimsOf(shop, order.uuid)).toMatchObject([{ reason: 'damage', selected_items: [] }])
  })

  it('need not be chosen if the contents of the parcel are unknown', async () => {
    const { address, order } = await orderToClaim(shop, { products: [] })
    const { text } = await open(address)
    expect(text).toContain('We do not have a list of what was in this parcel')
    await fillIn(address, text, { reason: 'wrong_product', description: 'These are shoes.' })
    expect(await claimsOf(shop, order.uuid)).toMatchObject([{ reason: 'wrong_product', selected_items: [] }])
  })
})

describe('form that is sent twice', () => {
  it('creates one claim, and leads to it both times', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const parts = withFields(fieldsOf(text), question)
    const [one, two, three] = [
      ...(await Promise.all([sendParts(address, parts), sendParts(address, parts)])),
      await sendParts(address, parts),
    ]
    const claims = await claimsOf(shop, order.uuid)
    expect(claims).toHaveLength(1)
    for (const reply of [one, two, three]) {
      expect(reply).toMatchObject({ status: 303, headers: { location: expect.stringContaining(claims[0].uuid) } })
    }
  })

  it('creates another claim if its contents have changed, after confirmation', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    await fillIn(address, text, question)
    const other = { reason: 'investigation', dropoff: 'no', signature_name: 'Ada Example' }
    const second = await fillIn(address, text, other)
    expect(second).toMatchObject({ status: 409, text: expect.stringContaining('This form was sent already') })
    expect(await claimsOf(shop, order.uuid)).toHaveLength(1)
    expect((await fillIn(address, second.text, {})).status).toBe(303)
    expect(await claimsOf(shop, order.uuid)).toMatchObject([question, { reason: 'investigation' }])
  })
})

describe('open claim', () => {
  it('is shown instead of created again, until it is settled', async () => {
    const { address, order } = await orderToClaim(shop)
    const before = await open(address)
    await fillIn(address, before.text, question)
    const after = await open(address)
    expect(after.text).toContain('What you have reported already')
    expect(after.text).toContain('We are looking at it')
    expect(after.text).toMatch(/value="support"[^>]* disabled/)
    expect(after.text).toContain('Already reported')
    const again = await fillIn(address, after.text, question)
    expect(again).toMatchObject({ status: 409, text: expect.stringContaining('You have reported this already') })
    expect(fieldsOf(again.text)).toContainEqual({ name: 'description', content: question.description })
    const [claim] = await claimsOf(shop, order.uuid)
    expect(await claimsOf(shop, order.uuid)).toHaveLength(1)
    await shop.as('editor').put(`/claims/${claim.uuid}`, { status: 'closed' })
    expect((await fillIn(address, (await open(address)).text, question)).status).toBe(303)
  })

  it('is created once by concurrent forms', async () => {
    const { address, order } = await orderToClaim(shop)
    const pages = await Promise.all([open(address), open(address)])
    const replies = await Promise.all(pages.map(({ text }) => fillIn(address, text, question)))
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 409])
    expect(await claimsOf(shop, order.uuid)).toHaveLength(1)
  })

  it('is limited to five per day for an order', async () => {
    const { address, order } = await orderToClaim(shop, {}, 6)
    const shipments = order.trackings.map(({ uuid }: { uuid: string }) => uuid)
    const submitClaim = async (shipment: string) =>
      fillIn(address, (await open(`${address}?shipment=${shipment}`)).text, question)
    for (const shipment of shipments.slice(0, 5)) expect((await submitClaim(shipment)).status).toBe(303)
    const sixth = await submitClaim(shipments[5])
    expect(sixth).toMatchObject({ status: 429, text: expect.stringContaining('You can send 5 reports a day') })
    expect(fieldsOf(sixth.text)).toContainEqual({ name: 'description', content: question.description })
    clock.advance(dayMs + hourMs)
    expect((await fillIn(address, sixth.text, {})).status).toBe(303)
    expect(await claimsOf(shop, order.uuid)).toHaveLength(6)
  })
})

describe('status of a claim', () => {
  it.each([
    ['pending', {}, 'We are looking at it', 'We will get in touch if we need to know more'],
    ['accepted', {}, 'Accepted', 'are now putting it right'],
    ['accepted', { resolution: 'refund' }, 'Accepted', 'You asked for your money back'],
    ['rejected', {}, 'Declined', 'Please contact us if there is something we do not know'],
    ['closed', {}, 'Closed', 'This is settled'],
  ])('is described on the order’s page: %s %j', async (status, wish, words, next) => {
    const { address, orderAddress, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const items = { [itemField(text, 'Socks')]: '1' }
    const { headers } = await fillIn(address, text, { reason: 'missing_product', ...items, ...wish })
    const [claim] = await claimsOf(shop, order.uuid)
    if (status !== 'pending') await shop.as('editor').put(`/claims/${claim.uuid}`, { status })
    const shown = await open(orderAddress)
    const place = String(headers.location).split('#')[1]
    const state = shown.text.split('<li class="report"').find((part) => part.includes(`id="${place}"`)) ?? ''
    for (const part of ['Something is missing', words, next, 'Sent ']) expect(state).toContain(part)
    expect(state.includes('Last change ')).toBe(status !== 'pending')
  })
})

describe('parcel', () => {
  it('is chosen if there are several', async () => {
    const { address, shipments } = await orderToClaim(shop, {}, 3)
    const { status, text } = await open(address)
    expect(status).toBe(200)
    expect(text).toContain('Which parcel is it about?')
    for (const id of shipments) expect(text).toContain(`${address}?shipment=${id}`)
    const chosen = await open(`${address}?shipment=${shipments[1]}`)
    expect(chosen.text).toContain('Parcel 2')
    expect(chosen.text).toContain('Choose another parcel')
    expect(chosen.text).toContain(`name="shipment" value="${shipments[1]}"`)
  })

  it('must be one of the order, not of another order or shop', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const elsewhere = await makeShop()
    const strangers = [(await orderToClaim(shop)).shipments[0], (await orderToClaim(elsewhere)).shipments[0], 'no-uuid']
    for (const stranger of strangers) {
      const shown = await open(`${address}?shipment=${stranger}`)
      expect(shown).toMatchObject({ status: 404, text: expect.stringContaining('We could not find that parcel') })
      const sent = await fillIn(address, text, { ...question, shipment: stranger })
      expect(sent).toMatchObject({ status: 404, text: expect.stringContaining('We could not find that parcel') })
    }
    expect(await claimsOf(shop, order.uuid)).toEqual([])
    expect((await elsewhere.as('viewer').get('/claims')).body.claims).toEqual([])
  })

  it('may be a return, with the reasons that apply to returns', async () => {
    const { address, order } = await orderToClaim(shop)
    const { body } = await shop.as('editor').post('/shipments', {
      order_id: order.uuid,
      order_id_type: 'uuid',
      tracking_number: uniqueNumber('R-'),
      direction: 'customer_merchant',
    })
    const { text } = await open(`${address}?shipment=${body.uuid}`)
    expect(text).toContain('Return parcel')
    expect([...text.matchAll(/name="reason" value="(\w+)"/g)].map(([, reason]) => reason)).toEqual([
      'investigation',
      'support',
    ])
    await fillIn(address, text, question)
    const second = await open(`${address}?shipment=${body.uuid}`)
    await fillIn(address, second.text, { reason: 'investigation', dropoff: 'yes', signature_name: 'Ada Example' })
    const { text: third } = await open(`${address}?shipment=${body.uuid}`)
    expect(third).toContain('You have reported everything already')
    expect(third).not.toContain('<form')
  })

  it('that was not sent, or is cancelled, has a page that explains what to do', async () => {
    const order = await createOrder(shop.as('editor'))
    const address = `${await addressOf(shop, order.order_number)}/claim`
    const early = await open(address)
    expect(early.status).toBe(200)
    expect(early.text).toContain('Your parcel has not left us yet')
    expect(early.text).toContain('href="https://shop.example/service"')
    expect(early.text).not.toContain('<form')
    expect((await sendParts(address, [])).text).toContain('Your parcel has not left us yet')
    await shop.as('editor').post('/shipment-events', {
      id: order.trackings[0].uuid,
      id_type: 'shipment_uuid',
      event_name: 'ORDER_CANCELLED',
      event_time: new Date(order.order_placed_at).toISOString(),
    })
    await shop.as('editor').post('/shipment-events', {
      id: order.trackings[0].uuid,
      id_type: 'shipment_uuid',
      event_name: 'ORDER_CANCELLED',
      event_time: clock.now().toISOString(),
    })
    expect((await open(address)).text).toContain('This order was cancelled')
  })

  it.each(['another token', 'another shop', 'no shop'])('is not found with %s', async (what) => {
    const { address } = await orderToClaim(shop)
    const elsewhere = await makeShop()
    const wrong = {
      'another token': address.replace(/\/[\w-]{64}\//, `/${'A'.repeat(64)}/`),
      'another shop': address.replace(shop.slug, elsewhere.slug),
      'no shop': address.replace(shop.slug, 'no-such-shop'),
    }[what]
    const { text } = await open(address)
    for (const reply of [await open(wrong ?? ''), await fillIn(wrong ?? '', text, question)]) {
      expect(reply.status).toBe(404)
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    }
  })
})

describe('signature', () => {
  const drawn = { name: 'signature', content: signature, filename: 'signature.png', contentType: 'image/png' }

  it('is stored if only a photo is refused', async () => {
    const { address, order } = await orderToClaim(shop)
    const damage = { reason: 'damage', description: 'Crushed.' }
    const again = await fillIn(address, (await open(address)).text, damage, [drawn, photo('no photo')])
    expect(again.status).toBe(422)
    expect(again.text).toContain('name="kept_signature"')
    expect(again.text).not.toContain('href="#signature"')
    expect((await fillIn(address, again.text, {})).status).toBe(303)
    expect((await claimsOf(shop, order.uuid))[0].customer_signature_image_url).toContain('/signature-')
  })

  it('may be drawn, is private, and is asked for again if something else is wrong', async () => {
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    const again = await fillIn(address, text, { reason: 'investigation' }, [drawn])
    expect(again).toMatchObject({ status: 422, text: expect.stringContaining('href="#signature">Sign again: we take') })
    expect(again.text).not.toContain('name="kept_signature"')
    expect((await fillIn(address, again.text, { dropoff: 'yes' }, [drawn])).status).toBe(303)
    const [claim] = await claimsOf(shop, order.uuid)
    expect(claim.customer_signature_image_url).toMatch(/\/v1\/images\/signature-[\w-]+\.png\?expires=/)
    const { pathname, search } = new URL(claim.customer_signature_image_url)
    expect((await open(pathname)).status).toBe(404)
    expect((await open(`${pathname}${search}`)).status).toBe(200)
  })

  it('can be removed', async () => {
    const { address } = await orderToClaim(shop)
    const { text } = await open(address)
    const drawn = { name: 'signature', content: signature, filename: 'signature.png', contentType: 'image/png' }
    const again = await fillIn(address, text, { reason: 'investigation' }, [drawn])
    const without = await fillIn(address, again.text, { dropoff: 'yes', remove_signature: '1' })
    expect(without).toMatchObject({
      status: 422,
      text: expect.stringContaining('Sign in the box, or type your full name'),
    })
  })

  it('that cannot be read is reported', async () => {
    const { address } = await orderToClaim(shop)
    const { text } = await open(address)
    const drawn = { name: 'signature', content: 'no image', filename: 'signature.png', contentType: 'image/png' }
    const again = await fillIn(address, text, { reason: 'investigation', dropoff: 'no' }, [drawn])
    expect(again).toMatchObject({ status: 422, text: expect.stringContaining('Your signature could not be read') })
  })
})
