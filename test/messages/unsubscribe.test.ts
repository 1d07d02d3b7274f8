import { beforeAll, describe, expect, it } from 'vitest'
import { recipientState } from '../../src/messages/recipients/state.ts'
import { unsubscribeHeaders, unsubscribeUrl } from '../../src/messages/recipients/unsubscribe.ts'
import { languages } from '../../src/platform/foundation/languages.ts'
import { readable, submit, visit } from '../harness/pages.ts'
import { call, logLines, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

let made: TestShop
let shop: { id: string; slug: string }
let number = 0

beforeAll(async () => {
  made = await makeShop({ name: 'River & Pine' })
  const { database } = await theService()
  shop = await database.db
    .selectFrom('shops')
    .where('slug', '=', made.slug)
    .select(['id', 'slug'])
    .executeTakeFirstOrThrow()
})

async function start() {
  const { context } = await theService()
  number += 1
  const address = `ada.lovelace-${number}@example.org`
  return {
    address,
    context: context(),
    path: new URL(unsubscribeUrl(context(), shop, address)).pathname,
    state: () => recipientState(context(), shop.id, address),
  }
}

const wants = { isSuppressed: false, wantsPromotion: true }
const wantsNone = { isSuppressed: false, wantsPromotion: false }

describe('unsubscribing', () => {
  it('the headers of a message lead there, without the address in them', async () => {
    const { context, address } = await start()
    const headers = unsubscribeHeaders(unsubscribeUrl(context, shop, address))
    expect(headers).toEqual({
      'List-Unsubscribe': expect.stringMatching(/^<https:\/\/doorstep\.example\/track\/[\w-]+\/unsubscribe\/[\w-]+>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(decodeURIComponent(headers['List-Unsubscribe'] ?? '')).not.toContain('ada')
  })

  it('looking at the page changes nothing: scanners of mail servers follow links', async () => {
    const { path, state } = await start()
    for (const method of ['GET', 'HEAD']) expect((await call(method, path, { auth: null })).status).toBe(200)
    const { text } = await visit(path)
    expect(readable(text)).toContain('No more offers by e-mail?')
    expect(readable(text)).toContain('This is about a…@example.org.')
    expect(text).not.toContain('ada.lovelace')
    expect(text).not.toContain('<script')
    expect(await state()).toEqual(wants)
  })

  it('one click in a mail program is enough', async () => {
    const { path, state } = await start()
    const { status, headers } = await submit(path, { 'List-Unsubscribe': 'One-Click' })
    expect(status).toBe(200)
    expect(headers.location).toBeUndefined()
    expect(await state()).toEqual(wantsNone)
  })

  it('also as the multipart form that RFC 8058 allows', async () => {
    const { path, state } = await start()
    const payload = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await call('POST', path, { auth: null, payload, headers })).status).toBe(200)
    expect(await state()).toEqual(wantsNone)
  })

  it('the button on the page does it, and the next one undoes it', async () => {
    const { path, state } = await start()
    const done = await submit(path, { choice: 'stop' })
    expect(readable(done.text)).toContain('You will get no more offers')
    expect(await state()).toEqual(wantsNone)
    expect(readable((await visit(path)).text)).toContain('You will get no more offers')
    const undone = await submit(path, { choice: 'undo' })
    expect(readable(undone.text)).toContain('You will get offers again.')
    expect(await state()).toEqual(wants)
  })

  it('is listed, and stays when an address that bounced is mailed again', async () => {
    const { path, address, state } = await start()
    await submit(path, { choice: 'stop' })
    const [listed] = (await made.as('viewer').get('/mail/suppressions')).body
    expect(listed).toMatchObject({ reason: 'unsubscribed', gets_mail: true, gets_promotion: false })
    await made.as('editor').post('/mail/suppressions', { address })
    expect(await state()).toEqual({ isSuppressed: true, wantsPromotion: false })
    await made.as('admin').delete(`/mail/suppressions/${listed.uuid}`)
    expect(await state()).toEqual(wantsNone)
  })

  it.each(languages)('speaks %s', async (language) => {
    const { path } = await start()
    const { status, text } = await visit(`${path}?lang=${language}`)
    expect(status).toBe(200)
    expect(text).toContain('River &amp; Pine')
    expect(text).toContain(`action="${path}?lang=${language}"`)
    expect(readable(text)).toContain('a…@example.org')
  })

  it('a changed token, and one of another shop, is no page', async () => {
    const { path, context, address, state } = await start()
    const other = await makeShop()
    const changed = `${path.slice(0, -2)}${path.endsWith('AA') ? 'BB' : 'AA'}`
    const elsewhere = path.replace(made.slug, other.slug)
    const short = `/track/${made.slug}/unsubscribe/abc`
    for (const wrong of [changed, elsewhere, short]) {
      expect((await visit(wrong)).status).toBe(404)
      expect((await submit(wrong, { 'List-Unsubscribe': 'One-Click' })).status).toBe(404)
    }
    expect(await state()).toEqual(wants)
    expect((await recipientState(context, shop.id, address)).wantsPromotion).toBe(true)
  })

  it('is not in the log, neither token nor address', async () => {
    const { path, address } = await start()
    await visit(path)
    const token = path.split('/').at(-1) ?? ''
    expect(logLines.filter((line) => line.includes(token) || line.includes(address))).toEqual([])
  })
})
