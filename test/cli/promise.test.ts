import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { writeHistory } from '../harness/history.ts'
import { newFolder } from '../harness/new-folder.ts'
import { theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

describe('doorstep promise backtest', () => {
  it('prints coverage and width next to the baselines, and writes the plot', async () => {
    const shop = await makeShop()
    await writeHistory(await theService(), shop, 10)
    const file = join(newFolder(), 'backtest.svg')
    const { code, stdout, stderr } = await runCli(
      ['promise', 'backtest', '--days', '20', '--percentile', '0.8', '--plot', file],
      { shop },
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/promised at 80\.0 % from \d+ finished journeys/)
    expect(stdout).toMatch(/^METHOD +IN TIME +WITHIN WINDOW +MEAN DAYS +DAYS AT EQUAL COVERAGE$/m)
    for (const name of ['model', 'carrier table', 'fixed days', 'plain percentile'])
      expect(stdout).toContain(`\n${name} `)
    expect(stdout).toMatch(/^STATED +CAME TRUE +PROMISES$/m)
    expect(stderr).toContain(file)
    expect(readFileSync(file, 'utf8')).toMatch(/^<svg /)
    const { json } = await runCli(['promise', 'backtest', '--days', '20', '--json'], { shop })
    expect(json).toMatchObject({ percentile: 0.9, methods: expect.any(Array) })
    expect(json).not.toHaveProperty('plot')
  })

  it('says when there is nothing to try', async () => {
    const { code, stdout } = await runCli(['promise', 'backtest'], { shop: await makeShop() })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^No parcel that was sent from /)
  })
})
