import { explain } from './installation/setup/explain.ts'
import { demoGuide, signInGuide, welcome } from './installation/setup/welcome.ts'
import { type Config, readConfig } from './platform/config/config.ts'
import { openDatabase } from './platform/store/database.ts'
import { joinProcesses, runProcesses, type WorkerProcess } from './processes.ts'
import type { Service } from './service.ts'

try {
  const config = readConfig()
  const workerProcess = joinProcesses()
  if (config.processes > 1 && !workerProcess) runProcesses(config.processes)
  else await run(workerProcess && !workerProcess.isFirst ? { ...config, demo: false } : config, workerProcess)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

async function run(config: Config, workerProcess: WorkerProcess | undefined): Promise<void> {
  const loading = import('./service.ts')
  // The embedded store opens in its own thread meanwhile. A server would wait for us: loading keeps this thread busy.
  const [database, { startService }] = await Promise.all([
    config.databaseUrl ? loading.then(() => openDatabase(config)) : openDatabase(config),
    loading,
  ])
  const service = await startService(config, { database, shareMetrics: workerProcess?.shareMetrics })
  // Before the welcome: its reader may send a signal at once.
  stopOnSignal(service, workerProcess)
  workerProcess?.announceReady()
  if (workerProcess && !workerProcess.isFirst) return
  process.stdout.write(welcome(service, config))
  // Before the first visit, which would wait for it.
  service.dashboard?.open()
  const demo = await service.demo
  if (demo) process.stdout.write(demoGuide(demo, service, config))
  const { offerSignIn } = await import('./installation/setup/offer-sign-in.ts')
  const link = await offerSignIn(service, config, demo?.slug)
  if (link) process.stdout.write(signInGuide(link))
}

/** The first signal finishes what is in flight; a second stops at once. */
function stopOnSignal(service: Service, workerProcess: WorkerProcess | undefined): void {
  let isStopping = false
  const stop = (signal?: NodeJS.Signals): void => {
    if (isStopping) process.exit(130)
    isStopping = true
    service.app.log.info({ signal }, 'stopping')
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Doorstep did not stop cleanly. ${error instanceof Error ? error.stack : String(error)}\n`)
        process.exit(1)
      },
    )
  }
  if (workerProcess) workerProcess.onStop(stop)
  else {
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  }
}
