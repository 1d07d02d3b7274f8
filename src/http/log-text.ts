import type { DestinationStream } from 'pino'

interface Line {
  level?: string
  time?: string
  msg?: string
  err?: { message?: string; stack?: string }
  [name: string]: unknown
}

type Style = 'dim' | 'red' | 'yellow' | 'cyan' | 'bold'

/** Codes of the terminal: set, and reset. */
const codes: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  cyan: [36, 39],
}
const levelStyles: Record<string, Style> = { debug: 'dim', trace: 'dim', info: 'cyan', warn: 'yellow' }

/** Fields that have their own place in a line, or are of no use to a person who watches. */
const placed = new Set(['level', 'time', 'msg', 'err', 'reqId'])
const placedOfRequest = new Set([...placed, 'method', 'path', 'status', 'ms', 'operation', 'key'])

/** Log lines for a person at a terminal, instead of JSON for a program. */
export function createTextLog(output: { write(text: string): unknown }, hasColours: boolean): DestinationStream {
  return { write: (line) => void output.write(formatLine(line, hasColours)) }
}

/** `09:30:12 info  GET /v1/shops 200 4 ms` */
export function formatLine(json: string, hasColours: boolean): string {
  const line = parse(json)
  if (line === undefined) return json
  const paint = (text: string, style: Style) => {
    const [set, reset] = codes[style]
    return hasColours ? `\u001b[${set}m${text}\u001b[${reset}m` : text
  }
  const { level = 'info' } = line
  const fields = Object.entries(line).filter(([name]) => !(isRequest(line) ? placedOfRequest : placed).has(name))
  const words = [
    paint(localTime(line.time), 'dim'),
    paint(level.padEnd(5), levelStyles[level] ?? 'red'),
    isRequest(line) ? describeRequest(line, paint) : printable(line.msg ?? ''),
    ...fields.map(([name, value]) => paint(`${name}=${shown(value)}`, 'dim')),
  ]
  return `${words.join(' ')}\n${describeError(line)
    .map((text) => `         ${paint(text, 'dim')}\n`)
    .join('')}`
}

function parse(json: string): Line | undefined {
  try {
    return JSON.parse(json) as Line // pino writes objects
  } catch {
    return undefined
  }
}

function isRequest({ msg, method }: Line): boolean {
  return msg === 'request' && method !== undefined
}

function describeRequest({ method, path, status, ms }: Line, paint: (text: string, style: Style) => string): string {
  const style = Number(status) >= 500 ? 'red' : Number(status) >= 400 ? 'yellow' : 'bold'
  return `${shown(method)} ${shown(path)} ${paint(String(status), style)} ${paint(`${Math.round(Number(ms))} ms`, 'dim')}`
}

function describeError({ err }: Line): string[] {
  return (err?.stack ?? err?.message ?? '')
    .split('\n')
    .filter((text) => text !== '')
    .map(printable)
}

function localTime(time: string | undefined): string {
  const at = new Date(time ?? 0)
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

function shown(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}

/** A caller's text must not control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\u00b7')
}
