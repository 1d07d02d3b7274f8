import type { Command } from './command.ts'
import { connectionOptions, globalOptions, shopOption } from './common-options.ts'
import { exitCodes, exitCodeTexts } from './exit-codes.ts'
import type { Option, Options } from './option.ts'
import type { Paints } from './output.ts'

/** The commands in the order and under the titles of the overview, by the first word of their names. */
const sections: readonly [title: string, groups: readonly string[]][] = [
  [
    'Run the service',
    [
      'start',
      'migrate',
      'doctor',
      'backup',
      'restore',
      'move-store',
      'rotate-keys',
      'rotate-page-links',
      'rotate-inbound-secret',
      'rotate-admin-key',
    ],
  ],
  ['Connect', ['login', 'logout', 'status', 'shops', 'keys']],
  ['Shops as files', ['pull', 'plan', 'apply', 'import', 'export']],
  ['Develop and test', ['listen', 'trigger', 'simulate', 'events', 'deliveries', 'mcp']],
]

/** The overview: every command in one line. */
export function overview(all: readonly Command[], paint: Paints): string {
  const commands = all.filter(({ isHidden }) => !isHidden)
  const placed = new Set(sections.flatMap(([, groups]) => groups))
  const others = [...new Set(commands.map(groupOf))].filter((group) => !placed.has(group))
  const titled = [...sections, ['More', others] as const]
  const width = Math.max(...commands.map(({ name }) => name.length))
  const listed = titled.flatMap(([title, groups]) => {
    const lines = groups.flatMap((group) => commands.filter((command) => groupOf(command) === group))
    return lines.length === 0 ? [] : ['', paint.bold(title), ...lines.map((command) => listLine(command, width))]
  })
  return [
    'Doorstep: the post-purchase platform for online shops, on the command line.',
    '',
    `${paint.bold('Usage')}  doorstep <command> [options]`,
    '       doorstep             starts the service, as "doorstep start" does',
    ...listed,
    '',
    paint.bold('Options of all commands'),
    ...optionLines(globalOptions),
    '',
    paint.bold('Connection'),
    ...optionLines({ ...connectionOptions, ...shopOption }),
    '',
    paint.bold('Exit codes'),
    ...exitCodeLines(),
    '',
    paint.bold('First steps'),
    '  doorstep login                                    saves where your service is and your API key',
    '  doorstep listen --forward-to localhost:3000/hook  sends events to the receiver you are writing',
    '  doorstep simulate delivered --step 2s             sends a parcel on its way',
    '',
    '"doorstep help <command>" explains a command, with examples.',
  ].join('\n')
}

/** The commands whose names begin with the same word. */
export function groupHelp(commands: readonly Command[], group: string, paint: Paints): string {
  const members = commands.filter((command) => groupOf(command) === group && !command.isHidden)
  const width = Math.max(...members.map(({ name }) => name.length))
  return [
    `${paint.bold('Usage')}  doorstep ${group} <command> [options]`,
    '',
    paint.bold('Commands'),
    ...members.map((command) => listLine(command, width)),
    '',
    paint.bold('Examples'),
    ...members.map(({ examples }) => `  doorstep ${examples[0].line}`),
    '',
    `"doorstep help ${members[0]?.name ?? group}" explains a command.`,
  ].join('\n')
}

/** Everything about one command. */
export function commandHelp(command: Command, paint: Paints): string {
  const own = command.options ?? {}
  const connection = {
    ...(command.needs === 'shop' ? shopOption : {}),
    ...(command.needs === 'nothing' ? {} : connectionOptions),
  }
  const positionals = (command.arguments ?? []).map(({ name, summary, choices }): [string, string] => [
    `<${name}>`,
    summary + (choices ? `: ${choices.join(', ')}` : ''),
  ])
  return [
    `${command.summary}.`,
    '',
    `${paint.bold('Usage')}  ${usageOf(command)}`,
    ...(command.details ? ['', command.details] : []),
    ...section('Arguments', columns(positionals), paint),
    ...section('Options', optionLines(own), paint),
    ...section('Connection', optionLines(connection), paint),
    ...section('Options of all commands', optionLines(globalOptions), paint),
    '',
    paint.bold('Examples'),
    ...command.examples.flatMap(({ line, says }) => [`  ${paint.dim(`# ${says}`)}`, `  doorstep ${line}`]),
  ].join('\n')
}

function usageOf({ name, arguments: positionals = [], options = {} }: Command): string {
  const words = positionals.map(({ name: word, isOptional, isRepeatable }) => {
    const shown = `<${word}>${isRepeatable ? '…' : ''}`
    return isOptional ? `[${shown}]` : shown
  })
  const required = Object.entries(options)
    .filter(([, { isRequired }]) => isRequired)
    .map(([option, { value }]) => `--${option} ${value ?? 'VALUE'}`)
  return ['doorstep', name, ...words, ...required, '[options]'].join(' ')
}

export function groupOf({ name }: Pick<Command, 'name'>): string {
  return name.split(' ')[0] ?? ''
}

function section(title: string, lines: readonly string[], paint: Paints): string[] {
  return lines.length === 0 ? [] : ['', paint.bold(title), ...lines]
}

function listLine({ name, summary }: Command, width: number): string {
  return `  ${name.padEnd(width)}  ${summary}`
}

function optionLines(options: Options): string[] {
  return columns(Object.entries(options).map(([name, option]) => [optionLabel(name, option), optionSummary(option)]))
}

function optionLabel(name: string, { short, type, value }: Option): string {
  const start = short ? `-${short}, ` : '    '
  return `${start}--${name}${type === 'boolean' ? '' : ` ${value ?? 'VALUE'}`}`
}

function optionSummary(option: Option): string {
  const more = [
    option.choices ? `: ${option.choices.join(', ')}` : '',
    option.isRepeatable ? '; several with commas' : '',
    option.default === undefined ? '' : ` (default: ${option.default})`,
  ]
  return option.summary + more.join('')
}

function exitCodeLines(): string[] {
  return Object.entries(exitCodeTexts).map(
    ([name, text]) => `  ${String(exitCodes[name as keyof typeof exitCodes]).padStart(3)}  ${text}`, // the keys of one record
  )
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
