import { describe, expect, it } from 'vitest'
import { until } from '../harness/patience.ts'
import { basic, callApi, makeShop, makeStore, operator, type RunningProcess, start } from '../harness/process.ts'

const orders = 3_000
const slug = 'imported'

describe('import', () => {
  it('creates every order once even if the process is killed in the middle', async () => {
    const settings = { DATA_DIR: await makeStore(), LOG_LEVEL: 'warn' }
    const first = await start(settings)
    await makeShop(first, operator, slug)
    const id = await upload(first)
    for (let kill = 0, from = 0, service = first; ; kill += 1) {
      const seen = from
      from = await until(async () => {
        const { created, status } = await importOf(service, id)
        return created > seen || status === 'completed' ? created : undefined
      })
      if (kill === 2) {
        const ended = await until(async () => {
          const record = await importOf(service, id)
          return record.status === 'completed' ? record : undefined
        })
        expect(ended).toMatchObject({
          rows: orders,
          created: orders,
          updated: 0,
          unchanged: 0,
          failed: 0,
          problems: [],
        })
        const { body } = await callApi(service, operator, 'GET', `/v1/shops/${slug}/shipments?per_page=1`)
        expect(body).toMatchObject({ pagination: { total: orders } })
        return
      }
      expect(from).toBeLessThan(orders)
      service.child.kill('SIGKILL')
      expect(await service.ended).toEqual({ code: null, signal: 'SIGKILL' })
      service = await start(settings)
    }
  })
})

interface ImportRecord {
  status: string
  created: number
}

async function importOf(service: RunningProcess, id: string): Promise<ImportRecord> {
  return (await callApi(service, operator, 'GET', `/v1/shops/${slug}/imports/${id}`)).body as ImportRecord // as its schema has it
}

async function upload(service: RunningProcess): Promise<string> {
  const rows = Array.from({ length: orders }, (_, n) => `n${n},10115,T${n},"of two\nlines"`)
  const form = new FormData()
  form.append('file', new Blob([`order_number,zip_code,tracking_number,notes\n${rows.join('\n')}\n`]), 'orders.csv')
  const response = await fetch(`${service.url}/v1/shops/${slug}/imports/orders`, {
    method: 'POST',
    headers: { authorization: basic(operator) },
    body: form,
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { id: string }).id // as its schema has it
}
