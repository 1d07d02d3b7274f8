import type { Explanation } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'

type Paint = (text: string) => string

/** Colours on a terminal; the plain text anywhere else. */
export interface Paints {
  bold: Paint
  dim: Paint
  red: Paint
  green: Paint
  yellow: Paint
  cyan: Paint
}

/** The output of a command: results on stdout, everything else on stderr. */
export class Output {
  readonly isJson: boolean
  readonly paint: Paints
  /** Whether a person sees the results on a terminal. */
  readonly isTerminal: boolean
  readonly #io: Io
  readonly #hasColors: boolean

  constructor(io: Io, { isJson, noColor }: { isJson: boolean; noColor: boolean }) {
    this.#io = io
    this.isJson = isJson
    this.isTerminal = io.stdout.isTTY === true && !isJson
    this.#hasColors = this.isTerminal && !noColor && (io.env.NO_COLOR ?? '') === '' && io.env.TERM !== 'dumb'
    this.paint = paints(this.#hasColors)
  }

  /** The result of a command: one JSON document, or the text. */
  result(value: unknown, text: string | (() => string)): void {
    if (this.isJson) this.#print(`${JSON.stringify(value ?? null, undefined, 2)}\n`)
    else this.#printText(typeof text === 'string' ? text : text())
  }

  /** One item of a stream: one line of JSON, or the text. */
  item(value: unknown, text: string | (() => string)): void {
    if (this.isJson) this.#print(`${JSON.stringify(value)}\n`)
    else this.#printText(typeof text === 'string' ? text : text())
  }

  /** Text that is printed as it is, whatever the output format: a file, a script. */
  raw(text: string): void {
    this.#print(text)
  }

  /** For the person only: progress, advice. Nothing with --json. */
  note(text: string): void {
    if (!this.isJson) this.#io.stderr.write(`${this.#printable(text)}\n`)
  }

  /** A warning, also with --json: it is not on stdout. */
  warn(text: string): void {
    this.#io.stderr.write(`${this.#printable(`${this.paint.yellow('Warning:')} ${text}`)}\n`)
  }

  /** Prints why the command failed. */
  error(explanation: Explanation): void {
    if (this.isJson) {
      this.#io.stderr.write(`${JSON.stringify({ error: explanation })}\n`)
      return
    }
    const { message, hint, errors, request_id: requestId } = explanation
    const lines = [
      explanation.exit_code === exitCodes.interrupted ? message : `${this.paint.red('Error:')} ${message}`,
      ...errors.map((problem) => `  ${problem.path}: ${problem.message}`),
      ...(hint === undefined ? [] : [hint]),
      ...(explanation.exit_code === exitCodes.failed && requestId ? [`Request id: ${requestId}`] : []),
    ]
    this.#io.stderr.write(`${this.#printable(lines.join('\n'))}\n`)
  }

  /** The rows below their titles, in columns. */
  table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
    const cells = rows.map((row) => row.map(oneLine))
    const widths = titles.map((title, column) => Math.max(title.length, ...cells.map((row) => widthOf(row[column]))))
    const line = (row: readonly string[]) =>
      row
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
        .join('  ')
        .trimEnd()
    return [this.paint.dim(line(titles)), ...cells.map(line)].join('\n')
  }

  /** Names and values, one per line. */
  fields(values: readonly (readonly [name: string, value: string])[]): string {
    const width = Math.max(0, ...values.map(([name]) => name.length))
    return values.map(([name, value]) => `${this.paint.dim(name.padEnd(width))}  ${oneLine(value)}`).join('\n')
  }

  #printText(text: string): void {
    if (text !== '') this.#print(`${this.#printable(text)}\n`)
  }

  #print(text: string): void {
    this.#io.stdout.write(text)
  }

  /** Data of others, such as a customer's name, must not move the cursor or rename the window. */
  #printable(text: string): string {
    const withoutControls = text.replaceAll(controls, (match) => (this.#hasColors && isColor(match) ? match : ''))
    return withoutControls
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const controls = /\u001b\[\d{1,2}m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

function isColor(match: string): boolean {
  return match.length > 1
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no space on the screen
const colors = /\u001b\[\d{1,2}m/g

function widthOf(cell = ''): number {
  return cell.replaceAll(colors, '').length
}

function oneLine(cell: string): string {
  return cell.replaceAll(/[\r\n\t]+/g, ' ')
}

function paints(hasColors: boolean): Paints {
  const paint = (start: number, end: number): Paint =>
    hasColors ? (text) => `\u001b[${start}m${text}\u001b[${end}m` : (text) => text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}
