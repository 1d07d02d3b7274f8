import { command } from '../frame/command.ts'
import { CliError } from '../frame/errors.ts'
import type { Io, ServerCommands } from '../frame/io.ts'

export const start = command({
  name: 'start',
  summary: 'Start the service',
  details:
    'Settings come from the environment: PORT, DATA_DIR, DATABASE_URL and others, see docs/guide/settings.md. Without any, it keeps its\n' +
    'data in ./data, listens on http://localhost:8080 and shows a demo shop. Ctrl+C stops it.',
  needs: 'nothing',
  examples: [
    { line: 'start', says: 'On http://localhost:8080, with the embedded store in ./data' },
    { line: 'start --no-color', says: 'The same; settings such as PORT=9000 stand before the command' },
  ],
  async run({ io }) {
    await serverOf(io).start()
  },
})

export const migrate = command({
  name: 'migrate',
  summary: 'Bring the store up to date, and end',
  details:
    'Applies the migrations that the store does not have yet. "doorstep start" does the same; use this one to migrate before\n' +
    'several nodes are replaced one after another. DATABASE_URL or DATA_DIR names the store.',
  needs: 'nothing',
  examples: [
    { line: 'migrate', says: 'The store of DATABASE_URL, or the embedded one in DATA_DIR' },
    { line: 'migrate --json', says: 'The names of the migrations that were applied' },
  ],
  async run({ io, output }) {
    const applied = await serverOf(io)
      .migrate()
      .catch((cause: unknown) => {
        const { message } = cause as Error // the server throws nothing else
        throw new CliError(`The store was not migrated. ${message}`, {}, { cause })
      })
    const list = applied.map((name) => `\n  ${name}`).join('')
    output.result({ applied }, applied.length === 0 ? 'The store is up to date.' : `Applied ${applied.length}:${list}`)
  },
})

export function serverOf({ server }: Io): ServerCommands {
  if (!server) throw new CliError('This command is part of the server. Install doorstep-server to run it.')
  return server
}
