import { beforeAll, expect, it } from 'vitest'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { shopIdOf } from '../harness/customers.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { settleImports } from '../harness/imports.ts'
import { uniqueNumber } from '../harness/orders.ts'
import { makeShop } from '../harness/shop.ts'

const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

describeInBrowser('imports in the dashboard', () => {
  let service: Service

  beforeAll(async () => {
    service = (await openDashboard()).service
  })

  it('are checked first, and imported for real with one click', async () => {
    const shop = await makeShop({}, service)
    const number = uniqueNumber('I')
    const csv = [
      'order_number,email_id,zip_code,total_order_price,Notes',
      `${number},ada@example.com,10115,19.90,fragile`,
      `${number}b,bo@example.com,20095,a lot,`,
      `${number}c,cy@example.com,80331,"1,234",`,
    ].join('\n')
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/imports`)
      await page.getByText('Nothing was imported yet').waitFor()
      await page.getByText('Columns about the address').click()
      await page.getByText('Customers look their order up with it.').waitFor()
      await expectGoodLooks(page, 'imports-empty')
      const template = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download a template' }).click()
      expect((await template).suggestedFilename()).toBe('doorstep-orders.csv')
      const input = page.locator('input[type=file]')
      await input.setInputFiles({ name: 'orders.xlsx', mimeType: 'application/zip', buffer: Buffer.from('PK') })
      await page.getByText('This is not a CSV file').waitFor()
      await input.setInputFiles(fileOf('november.csv', csv))
      await page.getByRole('button', { name: 'Check the file' }).click()
      await settleImports(service)
      await page.getByText('1 order can be imported').waitFor()
      await settled(page)
      await page.getByText('Must be a number like 1234.50.').first().waitFor()
      await page.getByText('Columns that we do not know were ignored: Notes').waitFor()
      await expectGoodLooks(page, 'import-checked')
      expect((await shop.as('viewer').get('/orders', { order_number: number })).body).toEqual([])
      await page.getByRole('searchbox', { name: 'Find a row' }).fill('a lot')
      await expect.poll(() => page.getByRole('row').count()).toBe(2)
      const report = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download report' }).click()
      expect((await report).suggestedFilename()).toBe('november-problems.csv')
      await page.getByRole('button', { name: 'Import for real' }).click()
      await settleImports(service)
      await page.getByText('1 order was imported').waitFor()
      expect((await shop.as('viewer').get('/orders', { order_number: number })).body).toHaveLength(1)
      await page.getByRole('link', { name: 'Imports' }).first().click()
      await expect.poll(() => page.getByRole('link', { name: 'november.csv' }).count()).toBe(2)
      await expectGoodLooks(page, 'imports')
    })
  })

  it('show their progress to a person who comes back, and page through a thousand problems', async () => {
    const shop = await makeShop({}, service)
    const { db } = service.database
    const shopId = await shopIdOf(service, shop)
    const id = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
    const running = {
      shop_id: shopId,
      id,
      filename: 'history.csv',
      size_bytes: 1_000_000,
      status: 'running',
      row_count: 2_500,
      created_count: 2_000,
      position_bytes: 250_000,
      problem_count: 4_321,
      due_at: null,
      created_at: new Date(),
      finished_at: null,
    }
    await db.insertInto('imports').values(running).execute()
    await db
      .insertInto('import_problems')
      .values(
        Array.from({ length: 1_000 }, (_, index) => ({
          shop_id: shopId,
          import_id: id,
          number: index + 1,
          row_number: index + 2,
          column_name: index % 3 === 0 ? 'zip_code' : 'product_quantity',
          value: index % 3 === 0 ? '-' : 'two',
          error_key: 'invalid_payload',
          message: index % 3 === 0 ? 'must be the zip code of the address' : 'must be a whole number',
        })),
      )
      .execute()
    await visit({ as: { shop, role: 'viewer' }, size: phone, language: 'de' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/imports/${id}?column=zip_code`)
      await page.getByText('2.500 von etwa 10.000 Zeilen (25 %)').waitFor()
      await page.getByText('Die ersten 1.000 von 4.321 Problemen sind gespeichert.').waitFor()
      await page.getByText('Keine Postleitzahl.').first().waitFor()
      await picture(page, 'import-running-390-de')
      await page.getByRole('button', { name: 'Weiter' }).click()
      await page.waitForURL('**page=2*')
      await db
        .updateTable('imports')
        .set({ status: 'completed', finished_at: new Date() })
        .where('id', '=', id)
        .execute()
      await page.getByText('2.000 Bestellungen wurden importiert').waitFor()
    })
  })

  it('are cancelled by editors, and say why one was set aside', async () => {
    const shop = await makeShop({}, service)
    const { db } = service.database
    const shopId = await shopIdOf(service, shop)
    const [running, aside] = ['0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5e', '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5f']
    const common = { shop_id: shopId, filename: 'history.csv', size_bytes: 1_000, due_at: null, created_at: new Date() }
    const reason =
      'The import was resumed before row 12 and stopped again, without progress; the log of the service may have the cause.'
    await db
      .insertInto('imports')
      .values([
        { ...common, id: running, status: 'running', finished_at: null },
        { ...common, id: aside, status: 'set_aside', reason, finished_at: new Date() },
      ])
      .execute()
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/imports/${running}`)
      await page.getByText('It begins in a moment.').waitFor()
      expect(await page.getByRole('button', { name: 'Cancel the import' }).count()).toBe(0)
    })
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/imports/${running}`)
      await page.getByRole('button', { name: 'Cancel the import' }).click()
      await page.getByText('Cancel this import?').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Let it go on' }).waitFor()
      await expectGoodLooks(page, 'import-cancel')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click()
      await page.getByText('This import was cancelled').waitFor()
      await expectGoodLooks(page, 'import-cancelled')
      expect(await page.getByText('Every row was understood.').count()).toBe(0)
      await go(page, `/dashboard/${shop.slug}/imports/${aside}`)
      await page.getByText('It stopped twice at the same place.').waitFor()
      await expectGoodLooks(page, 'import-set-aside')
      await go(page, `/dashboard/${shop.slug}/imports`)
      await page.getByText('Set aside').waitFor()
      await page.getByText('Cancelled', { exact: true }).waitFor()
    })
  })
})
