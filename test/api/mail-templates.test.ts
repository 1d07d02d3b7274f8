import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailGroups } from '../../src/messages/customer-mail/groups.ts'
import { mailSamples } from '../../src/messages/customer-mail/samples.ts'
import { findTemplate } from '../../src/messages/templates/store.ts'
import { languages, languageTag } from '../../src/platform/foundation/languages.ts'
import type { Service } from '../../src/service.ts'
import { shopIdOf } from '../harness/customers.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { createOrder } from '../harness/orders.ts'
import { logLines, type Reply, startNode, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const group = 'shipment_out_for_delivery'
const path = (language = 'en', of = group) => `/mail/templates/${of}/${language}`
const nothing = { subject: null, preheader: null, heading: null, introduction: null, footer: null, blocks: null }

/** The problems of a rejected request: where, and the sentence. */
const problemsOf = ({ status, body }: Reply) => [
  status,
  body.key,
  ...body.errors.map(({ loc, msg }: { loc: string[]; msg: string }) => `${loc.join('.')}: ${msg}`),
]

let shop: TestShop

beforeAll(async () => {
  shop = await makeShop({ name: 'River <& Pine>' })
})

describe('the list of messages', () => {
  it("is in the order of a parcel's journey, with what each may use", async () => {
    const { status, body } = await shop.as('viewer').get('/mail/templates')
    expect(status).toBe(200)
    expect(body.groups.map(({ group }: { group: string }) => group)).toEqual(mailGroups.map(({ name }) => name))
    expect(body.samples).toEqual([...mailSamples])
    expect(body.limits.subject).toBe(200)
    const cancelled = body.groups.find(({ group }: { group: string }) => group === 'shipment_order_cancelled')
    expect(cancelled).toMatchObject({ about: 'order', is_urgent: false, may_promote: false })
    expect(cancelled.variables).not.toContain('pickup_name')
    const failed = body.groups.find(({ group }: { group: string }) => group === 'shipment_delivery_failed')
    expect(failed.blocks).not.toContain('campaign')
    expect(failed.is_urgent).toBe(true)
  })

  it('says in which languages a text is changed', async () => {
    const own = await makeShop()
    await own.as('editor').put(path('de'), { subject: 'Heute' })
    await own.as('editor').put(path('cs'), { subject: 'Dnes' })
    const { groups } = (await own.as('viewer').get('/mail/templates')).body
    for (const { group: name, changed_languages } of groups) {
      expect(changed_languages).toEqual(name === group ? ['cs', 'de'] : [])
    }
    const { groups: others } = (await shop.as('viewer').get('/mail/templates')).body
    expect(others.flatMap((one: { changed_languages: string[] }) => one.changed_languages)).toEqual([])
  })
})

describe('a text of a message', () => {
  it('is ours until it is changed, and again when the change is taken back', async () => {
    const own = await makeShop()
    const before = (await own.as('viewer').get(path())).body
    expect(before).toMatchObject({ group, language: 'en', template: nothing, changed_languages: [], updated_at: null })
    expect(before.variables).toContain('first_name')
    const change = {
      subject: '{first_name}, it arrives today',
      introduction: 'Hello {full_name},\n\nyour order {order_number} arrives today.',
      blocks: ['help', 'status'],
    }
    const changed = await own.as('editor').put(path(), change)
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ template: { ...nothing, ...change }, changed_languages: ['en'] })
    expect(changed.body.ours).toEqual(before.ours)
    expect((await own.as('viewer').get(path())).body).toEqual(changed.body)
    expect((await own.as('viewer').get(path('de'))).body).toMatchObject({
      template: nothing,
      changed_languages: ['en'],
    })
    const { status, body } = await own.as('editor').delete(path())
    expect([status, body]).toEqual([200, before])
    expect((await own.as('editor').delete(path())).status).toBe(200)
  })

  it('that changes nothing is not kept', async () => {
    const own = await makeShop()
    await own.as('editor').put(path(), { subject: 'Today' })
    const { body } = await own.as('editor').put(path(), { subject: null })
    expect(body).toMatchObject({ template: nothing, changed_languages: [], updated_at: null })
  })

  it('is read by viewers and written by editors of the shop', async () => {
    expect((await shop.as('viewer').put(path(), { subject: 'x' })).status).toBe(403)
    expect((await shop.as('viewer').delete(path())).status).toBe(403)
    expect((await shop.as('viewer').get(path('en', 'no_such_message'))).status).toBe(422)
    expect((await shop.as('viewer').get(path('xx'))).status).toBe(422)
  })

  it('is found by every node as soon as it is saved', async () => {
    const own = await makeShop()
    const service = await theService()
    const other = await startNode({})
    const shopId = await shopIdOf(service, own)
    const found = () => Promise.all([service, other].map((node) => findTemplate(node.context(), shopId, group, 'en')))
    expect(await found()).toEqual([null, null])
    await own.as('editor').put(path(), { subject: 'Today' })
    expect(await findTemplate(service.context(), shopId, group, 'en')).toMatchObject({
      subject: 'Today',
      heading: null,
    })
    await expect.poll(async () => (await found())[1]).toMatchObject({ subject: 'Today' })
    await own.as('editor').delete(path())
    expect(await findTemplate(service.context(), shopId, group, 'en')).toBeNull()
    await expect.poll(async () => (await found())[1]).toBeNull()
    await other.stop()
  })

  it('is in the audit log, before and after', async () => {
    const own = await makeShop()
    await own.as('editor').put(path('de'), { subject: 'Heute' })
    await own.as('editor').put(path('de'), { subject: 'Heute schon' })
    await own.as('editor').delete(path('de'))
    const { body } = await own.as('admin').get('/audit-log', { subject_kind: 'mail_template' })
    expect(body.map(({ action }: { action: string }) => action)).toEqual([
      'deleteMailTemplate',
      'putMailTemplate',
      'putMailTemplate',
    ])
    expect(body[1]).toMatchObject({
      subject: { kind: 'mail_template', id: `${group}/de` },
      changes: { subject: { before: 'Heute', after: 'Heute schon' } },
    })
  })
})

describe('a broken text', () => {
  const rejected: [what: string, fields: Record<string, unknown>, ...problems: string[]][] = [
    [
      'a misspelt variable',
      { subject: 'Hello {frist_name}' },
      'body.subject: {frist_name} is not a variable. Did you mean {first_name}?',
    ],
    [
      'a variable in capitals with a blank',
      { heading: '{Order Number}' },
      'body.heading: {Order Number} is not a variable. Did you mean {order_number}?',
    ],
    [
      'a { without a }',
      { introduction: 'Hello {first_name' },
      'body.introduction: has a { without a }. Write variables as {first_name}.',
    ],
    [
      'a } without a {',
      { footer: 'first_name}' },
      'body.footer: has a } without a {. Write variables as {first_name}.',
    ],
    [
      'braces inside of braces',
      { preheader: 'Hello {{first_name}}' },
      'body.preheader: has a { inside of braces. Write variables as {first_name}.',
    ],
    ['a line break in the subject', { subject: 'a\nb' }, 'body.subject: must be one line, without line breaks.'],
    [
      'a header in the subject',
      { subject: 'a\r\nBcc: x@y.example' },
      'body.subject: must be one line, without line breaks.',
    ],
    [
      'a line separator in the subject',
      { subject: 'a\u2028b' },
      'body.subject: must be one line, without line breaks.',
    ],
    ['a line break in the preheader', { preheader: 'a\rb' }, 'body.preheader: must be one line, without line breaks.'],
    ['a line break in the heading', { heading: 'a\nb' }, 'body.heading: must be one line, without line breaks.'],
    [
      'a control character in the subject',
      { subject: 'a\u0007b' },
      'body.subject: must not contain control characters.',
    ],
    [
      'a control character in the text',
      { introduction: 'a\u001bb' },
      'body.introduction: must not contain control characters.',
    ],
    ['a single carriage return', { footer: 'a\rb' }, 'body.footer: must not contain control characters.'],
    ['a blank subject', { subject: ' ' }, 'body.subject: must not be blank. Leave it out to use our text.'],
    [
      'a long subject',
      { subject: 'ö'.repeat(201) },
      'body.subject: must not have more than 200 characters. It has 201.',
    ],
    [
      'a long introduction',
      { introduction: 'x'.repeat(2_001) },
      'body.introduction: must not have more than 2000 characters. It has 2001.',
    ],
    ['a repeated block', { blocks: ['help', 'status', 'help'] }, 'body.blocks.2: help is listed twice.'],
    [
      'several problems at once',
      { subject: 'a\nb', footer: '{', blocks: ['help', 'help'] },
      'body.subject: must be one line, without line breaks.',
      'body.footer: has a { without a }. Write variables as {first_name}.',
      'body.blocks.1: help is listed twice.',
    ],
  ]

  it.each(rejected)('is rejected when it is saved: %s', async (_what, fields, ...problems) => {
    expect(problemsOf(await shop.as('editor').put(path(), fields))).toEqual([422, 'invalid_payload', ...problems])
    const preview = await shop.as('viewer').post('/mail/preview', { group, language: 'en', template: fields })
    expect(problemsOf(preview)).toEqual([
      422,
      'invalid_payload',
      ...problems.map((problem) => problem.replace('body.', 'body.template.')),
    ])
    const test = { group, language: 'en', template: fields, to: 'you@shop.example' }
    expect((await shop.as('editor').post('/mail/test', test)).status).toBe(422)
    expect((await shop.as('viewer').get(path())).body.template).toEqual(nothing)
  })

  it('names the variables of the message if none is meant', async () => {
    const [, , problem] = problemsOf(await shop.as('editor').put(path(), { subject: '{colour}' }))
    expect(problem).toMatch(/^body\.subject: \{colour\} is not a variable\. This message has \{first_name\}, /)
  })

  it('may not use a variable that this message cannot know', async () => {
    const cancelled = path('en', 'shipment_order_cancelled')
    const [, , problem] = problemsOf(await shop.as('editor').put(cancelled, { subject: '{pickup_name}' }))
    expect(problem).toMatch(/^body\.subject: \{pickup_name\} is not known in this message\. It has \{first_name\}, /)
  })

  it('has blocks that the message has', async () => {
    const editor = shop.as('editor')
    const [, , unknown] = problemsOf(await editor.put(path(), { blocks: ['weather'] }))
    expect(unknown).toMatch(/^body\.blocks\.0: must be one of status, /)
    const [, , foreign] = problemsOf(await editor.put(path(), { blocks: ['claim'] }))
    expect(foreign).toMatch(/^body\.blocks\.0: claim is not a block of this message\. It has status, /)
    const failed = path('en', 'shipment_delivery_failed')
    const [, , promotion] = problemsOf(await editor.put(failed, { blocks: ['status', 'campaign'] }))
    expect(promotion).toMatch(/^body\.blocks\.1: campaign is not a block/)
  })

  it('cannot hide what a receipt is for', async () => {
    const receipt = path('en', 'withdrawal_received')
    expect(problemsOf(await shop.as('editor').put(receipt, { blocks: ['help'] }))).toEqual([
      422,
      'invalid_payload',
      'body.blocks: must contain claim: it is what this message is for.',
    ])
    expect((await shop.as('editor').put(receipt, { blocks: ['help', 'claim'] })).status).toBe(200)
  })

  it('is not one with every variable, line breaks where they may be, and no blocks', async () => {
    const own = await makeShop()
    for (const { group, variables } of (await own.as('viewer').get('/mail/templates')).body.groups) {
      const all = variables.map((name: string) => `{${name}}`).join(' ')
      const fields = {
        subject: `S ${all}`,
        preheader: all,
        heading: all,
        introduction: `${all}\r\n\t${all}`,
        footer: all,
      }
      const { status, body } = await own.as('editor').put(path('en', group), fields)
      expect([group, status, body.template?.introduction]).toEqual([group, 200, `${all}\n\t${all}`])
    }
    expect((await own.as('editor').put(path(), { blocks: [] })).body.template.blocks).toEqual([])
  })
})

describe('the preview of a message', () => {
  async function expectComplete(name: string, language: string, sample: string) {
    const reply = await shop.as('viewer').post('/mail/preview', { group: name, language, sample })
    expect(reply.status).toBe(200)
    const { subject, html, text } = reply.body
    for (const part of [subject, text]) {
      expect(part.trim()).not.toBe('')
      expect(part).not.toMatch(/\{\w+\}|undefined|\bnull\b/)
    }
    expect(html).toContain('River &lt;&amp; Pine&gt;')
    expect(html).not.toContain('<& Pine>')
  }

  it.each(mailGroups.map(({ name }) => name))(
    'of %s is complete in every language and with every sample',
    async (name) => {
      for (const language of languages) await expectComplete(name, language, mailSamples[0])
      for (const sample of mailSamples) await expectComplete(name, 'en', sample)
    },
  )

  it('shows what is being written, and markup as text', async () => {
    const template = {
      subject: '{first_name} <b>today</b>',
      heading: 'Almost there',
      introduction: '<script>alert(1)</script> & https://shop.example/x?a=1&b=2',
    }
    const { body } = await shop.as('viewer').post('/mail/preview', { group, language: 'en', template })
    expect(body.subject).toMatch(/^\S+ <b>today<\/b>$/)
    expect(body.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp;')
    expect(body.html).not.toContain('<script>alert')
    expect(body.text).toContain('<script>alert(1)</script> & https://shop.example/x?a=1&b=2')
    expect(body.text).toContain('Almost there')
  })

  it('shows what is stored if nothing is given', async () => {
    const own = await makeShop()
    await own.as('editor').put(path(), { subject: 'Stored words' })
    const stored = await own.as('viewer').post('/mail/preview', { group, language: 'en' })
    expect(stored.body.subject).toBe('Stored words')
    const ours = await own.as('viewer').post('/mail/preview', { group, language: 'en', template: {} })
    expect(ours.body.subject).not.toBe('Stored words')
  })

  it('of one of the shop’s orders has its number', async () => {
    const own = await makeShop()
    const order = await createOrder(own.as('editor'), {}, [{ tracking_number: 'PREVIEW-1' }])
    const ask = { group, language: 'de', order_id: order.uuid, template: { subject: 'Nummer {order_number}' } }
    const { status, body } = await own.as('viewer').post('/mail/preview', ask)
    expect(status).toBe(200)
    expect(body.subject).toMatch(new RegExp(`^Nummer #?${order.order_number}$`))
    expect(body.html).toContain(`lang="${languageTag('de')}"`)
    expect((await own.as('viewer').post('/mail/preview', { ...ask, sample: mailSamples[0] })).status).toBe(422)
    const claim = await own.as('viewer').post('/mail/preview', { ...ask, group: 'claim_created' })
    expect(problemsOf(claim)).toEqual([422, 'invalid_payload', 'body.order_id: This order has no claim.'])
    const foreign = await shop.as('viewer').post('/mail/preview', ask)
    expect([foreign.status, foreign.body.key]).toEqual([404, 'order_not_found'])
  })

  it('is in the colour scheme that is asked for', async () => {
    const [both, light, dark] = await Promise.all(
      [undefined, 'light', 'dark'].map(async (scheme) => {
        const { body } = await shop.as('viewer').post('/mail/preview', { group, language: 'en', scheme })
        return String(body.html)
      }),
    )
    // Its dark colours count always or never; without a scheme, the reader decides.
    const [condition, always, never] = ['(prefers-color-scheme:dark)', '(min-width: 0)', '(max-width: 0)']
    expect(both).toContain(condition)
    expect(light).toBe(both?.replaceAll(condition, never))
    expect(dark).toBe(both?.replaceAll(condition, always))
  })

  it('has a frame that allows its styles and nothing that runs', async () => {
    const { status, headers, text } = await shop.as('viewer').get('/mail/preview/frame')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'unsafe-inline'")
    expect(headers['content-security-policy']).not.toContain('script-src')
    expect(text).not.toContain('<script')
  })
})

describe('a test message', () => {
  let server: MailServer
  let node: Service

  beforeAll(async () => {
    server = await startMailServer({ hideSTARTTLS: true })
    node = await startNode({
      SMTP_HOST: server.host,
      SMTP_PORT: String(server.port),
      SMTP_SECURITY: 'none',
      SMTP_FROM_NAME: 'River & Pine',
      SMTP_FROM_ADDRESS: 'hello@shop.example',
    })
  })
  afterAll(async () => {
    await node.stop()
    await server.close()
  })

  const ask = { group, language: 'en', to: 'you@shop.example' }

  it('arrives, with what is being written', async () => {
    const own = await makeShop({}, node)
    const template = { subject: 'Grüße, {first_name}', introduction: 'Hello {first_name}' }
    const { status, body } = await own.as('editor').post('/mail/test', { ...ask, template })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, problem: null, code: 250, response: expect.stringContaining('250') })
    await server.until(1)
    const [mail] = server.mails
    expect(mail?.subject).toBe('Grüße, Ada')
    expect(mail?.envelope).toEqual({ from: 'hello@shop.example', to: ['you@shop.example'] })
    expect(mail?.messageId).toMatch(/^<[\w-]+@shop\.example>$/)
    expect(mail?.html).toContain('Hello Ada')
    expect(mail?.text).toContain('Hello Ada')
    expect(logLines.join('\n')).not.toContain('you@shop.example')
    const [entry] = (await own.as('admin').get('/audit-log', { subject_kind: 'mail_template' })).body
    expect(entry).toMatchObject({ action: 'testMail', subject: { id: `${group}/en` } })
    expect(JSON.stringify(entry)).not.toContain('you@shop.example')
  })

  it('that the server rejects says what it replied', async () => {
    server.reject = () => ({ code: 550, message: 'no such user here' })
    const { body } = await (await makeShop({}, node)).as('editor').post('/mail/test', ask)
    server.reject = () => undefined
    expect(body).toMatchObject({ ok: false, code: 550, response: expect.stringContaining('no such user here') })
  })

  it('never goes to an address that gets no mail', async () => {
    const own = await makeShop({}, node)
    await own.as('editor').post('/mail/suppressions', { address: 'You@Shop.example' })
    const before = server.mails.length
    const { body } = await own.as('editor').post('/mail/test', ask)
    expect(body).toMatchObject({ ok: false, problem: 'suppressed', code: null })
    expect(server.mails).toHaveLength(before)
  })

  it('needs a mail server', async () => {
    const own = await makeShop()
    const { status, body } = await own
      .as('editor')
      .post('/mail/test', { group, language: 'en', to: 'you@shop.example' })
    expect([status, body.ok, body.problem]).toEqual([200, false, 'no_account'])
  })

  it.each(['nobody', 'a@b@c.example', 'a@shop.example\r\nBcc: x@y.example', 'a@x.example, b@x.example'])(
    'goes to one address: %j is none',
    async (to) => {
      const { status, body } = await shop.as('editor').post('/mail/test', { group, language: 'en', to })
      expect([status, body.errors[0].loc]).toEqual([422, ['body', 'to']])
    },
  )

  it('can be sent by an editor twenty times in ten minutes', async () => {
    const own = await makeShop()
    const ask = () => own.as('editor').post('/mail/test', { group, language: 'en', to: 'you@shop.example' })
    expect((await own.as('viewer').post('/mail/test', { group, language: 'en', to: 'you@shop.example' })).status).toBe(
      403,
    )
    for (let time = 0; time < 20; time += 1) expect((await ask()).status).toBe(200)
    const { status, body, headers } = await ask()
    expect([status, body.key]).toEqual([429, 'rate_limited'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
})
