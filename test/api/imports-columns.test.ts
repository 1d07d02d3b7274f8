import { describe, expect, it } from 'vitest'
import { columns } from '../../src/orders/imports/columns.ts'
import { sendImport, settleImports } from '../harness/imports.ts'
import { makeShop } from '../harness/shop.ts'

interface ListedColumn {
  name: string
  is_required: boolean
  aliases: string[]
  example: string
}

describe('columns of an import', () => {
  it('are those that the importer knows, with a template that can be imported', async () => {
    const shop = (await makeShop()).as('editor')
    const { body } = await shop.get('/imports/columns')
    const listed: ListedColumn[] = body
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(columns))
    expect(listed.filter(({ is_required }) => is_required).map(({ name }) => name)).toEqual(['order_number'])
    expect(listed.find(({ name }) => name === 'zip_code')).toMatchObject({
      about: 'address',
      kind: 'text',
      aliases: ['postal_code', 'postcode', 'zip'],
    })
    const csv = `${listed.map(({ name }) => name).join(',')}\n${listed.map(({ example }) => `"${example}"`).join(',')}\n`
    const { body: sent } = await sendImport(shop, csv)
    await settleImports()
    const { body: done } = await shop.get(`/imports/${sent.id}`)
    expect(done).toMatchObject({ status: 'completed', created: 1, problems: [], ignored_columns: [] })
  })
})
