import { commands } from './commands.ts'
import { processIo } from './environment.ts'
import type { Command } from './frame/command.ts'
import { type Connection, connect, findConnection, findShop } from './frame/connection.ts'
import { explain } from './frame/errors.ts'
import { exitCodes } from './frame/exit-codes.ts'
import { commandHelp, groupHelp, groupOf, overview } from './frame/help.ts'
import type { Io, ServerCommands } from './frame/io.ts'
import { Output } from './frame/output.ts'
import { findCommand, hasFlag, leadingWords, type Parsed, parseArguments, unknownCommand } from './frame/parse.ts'

/** Runs a command in this process, and sets its exit code. */
export async function run(argv: readonly string[], server: ServerCommands): Promise<void> {
  process.exitCode = await main(argv, processIo(server))
}

/** Runs a command and returns its exit code; never throws. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const output = new Output(io, { isJson: hasFlag(argv, 'json'), noColor: hasFlag(argv, 'no-color') })
  const invocation: Invocation = { io, output }
  try {
    return await dispatch(argv, invocation)
  } catch (error) {
    if (hasFlag(argv, 'debug')) io.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    const explanation = explain(error, invocation.connection?.url)
    output.error(explanation)
    return explanation.exit_code
  }
}

interface Invocation {
  io: Io
  output: Output
  /** Once the command has connected. */
  connection?: Connection
}

async function dispatch(argv: readonly string[], invocation: Invocation): Promise<number> {
  const { output } = invocation
  const words = leadingWords(argv)
  const command = findCommand(commands, words)
  if (!command) return helpWithout(argv, words, invocation)
  const parsed = parseArguments(command, argv)
  if (parsed.options.help === true) {
    output.raw(`${commandHelp(command, output.paint)}\n`)
    return exitCodes.ok
  }
  return runCommand(command, parsed, invocation)
}

async function runCommand(command: Command, parsed: Parsed, invocation: Invocation): Promise<number> {
  const { io, output } = invocation
  const call = {
    ...parsed,
    output,
    io,
    signal: io.signal,
    connectTo(connection: Connection) {
      invocation.connection = connection
      return connect(io, connection, output)
    },
  }
  const run = command.run as (call: object) => Promise<number | undefined> // what its declaration asks for is added here
  if (command.needs === 'nothing') return (await run(call)) ?? exitCodes.ok
  const connection = findConnection(io, parsed.options)
  const client = call.connectTo(connection)
  const shop = command.needs === 'shop' ? await findShop(client, connection) : undefined
  return (await run({ ...call, connection, client, shop })) ?? exitCodes.ok
}

/** No command was named: an overview, the commands of a group, or the version. */
function helpWithout(argv: readonly string[], words: readonly string[], { io, output }: Invocation): number {
  const [group] = words
  if (argv.includes('--version') || argv.includes('-V')) {
    const version = io.server?.version() ?? 'of unknown version'
    output.result({ version }, `doorstep ${version}`)
    return exitCodes.ok
  }
  if (group === undefined) {
    output.raw(`${overview(commands, output.paint)}\n`)
    return exitCodes.ok
  }
  if (words.length > 1 || !commands.some((command) => groupOf(command) === group)) throw unknownCommand(commands, words)
  output.raw(`${groupHelp(commands, group, output.paint)}\n`)
  return exitCodes.ok
}
