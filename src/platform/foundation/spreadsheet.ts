/**
 * The text with an apostrophe before everything that a spreadsheet could calculate. Quotes alone do not help: where
 * cells are separated by semicolons, a quote in the middle of a line means nothing, so a `;` or a line break inside a
 * cell starts another one. A plain negative number stays a number.
 */
export function guardFormulas(text: string): string {
  if (!suspicious.test(text) || plainNumber.test(text)) return text
  let guarded = ''
  let last = 0
  for (const start of formulaStarts(text)) {
    guarded += `${text.slice(last, start)}'`
    last = start
  }
  return guarded + text.slice(last)
}

/** Removes exactly what `guardFormulas` added. */
export function unguardFormulas(text: string): string {
  if (!text.includes("'")) return text
  let plain = ''
  let last = 0
  for (const start of formulaStarts(text)) {
    if (text[start] !== "'") continue
    plain += text.slice(last, start)
    last = start + 1
  }
  return plain + text.slice(last)
}

/** In some languages, Excel reads the full-width forms as the plain ones. */
const formulaSigns = '=+-@＝＋－＠'
const suspicious = /[=+\-@＝＋－＠\t\r\n]/
const plainNumber = /^-\d+(?:[.,]\d+)?$/

/**
 * Positions at which formulas could begin: at the start, and behind separators of cells or lines. A position is that of
 * the sign, or of the apostrophes before it, so that text which has some already gets one more and loses only that one.
 */
function formulaStarts(text: string): number[] {
  const starts: number[] = []
  let opening: 'text' | 'line' | 'cell' | undefined = 'text'
  let apostrophes: number | undefined
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charAt(index)
    if (opening && sign === "'") {
      apostrophes ??= index
      continue
    }
    const isBreak = sign === '\t' || sign === '\r' || sign === '\n'
    if (opening && (formulaSigns.includes(sign) || (isBreak && opening === 'text'))) {
      starts.push(apostrophes ?? index)
      opening = undefined
    }
    if (isBreak || sign === ';') opening = 'line'
    else if (sign === ',') opening = 'cell'
    // Programs drop blanks and quotes before a formula. After a comma, which is common in text, blanks are not skipped.
    else if (sign !== '"' && !(sign === ' ' && opening !== 'cell')) opening = undefined
    apostrophes = undefined
  }
  return starts
}
