import { onTestFinished } from 'vitest'
import { newFolder } from './new-folder.ts'
import { call, openTestDatabase, startTestService } from './service.ts'

/** Every series of the real service: its name and labels. */
export async function realSeries(): Promise<Map<string, Set<string>>> {
  const database = await openTestDatabase()
  const service = await startTestService({}, database)
  onTestFinished(() => service.stop())
  await service.schedule.tick()
  // With every setting that a metric depends on.
  const node = await startTestService({ ROLE: 'api', BACKUP_TO: newFolder() }, { ...database, close: async () => {} })
  const { text } = await call('GET', '/metrics', { auth: null }, node)
  await node.stop()
  const series = new Map<string, Set<string>>()
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? []
    const known = series.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    series.set(name, known)
  }
  return series
}
