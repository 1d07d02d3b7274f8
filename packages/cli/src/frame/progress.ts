import type { Io } from './io.ts'

const width = 24

/** A line on the terminal that shows how far something is; nothing anywhere else. */
export class Progress {
  readonly #io: Io
  readonly #isShown: boolean
  #lastText = ''

  constructor(io: Io, isShown = true) {
    this.#io = io
    this.#isShown = isShown && io.stderr.isTTY === true
  }

  /** A part of a whole that is known. */
  show(done: number, total: number, text: string): void {
    const share = total > 0 ? Math.min(1, done / total) : 0
    const full = Math.round(share * width)
    this.#draw(
      `[${'#'.repeat(full)}${' '.repeat(width - full)}] ${String(Math.floor(share * 100)).padStart(3)} %  ${text}`,
    )
  }

  /** How much there is so far. */
  count(text: string): void {
    this.#draw(text)
  }

  /** Removes the line. */
  end(): void {
    if (this.#lastText !== '') this.#io.stderr.write('\r\u001b[K')
    this.#lastText = ''
  }

  #draw(text: string): void {
    if (!this.#isShown || text === this.#lastText) return
    this.#lastText = text
    this.#io.stderr.write(`\r\u001b[K${text.slice(0, (this.#io.stderr.columns ?? 80) - 1)}`)
  }
}

/** `1.2 MB` */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  const units = ['kB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes / 1_000, 0]
  for (; value >= 1_000 && unit < units.length - 1; unit += 1) value /= 1_000
  return `${value.toFixed(1)} ${units[unit]}`
}
