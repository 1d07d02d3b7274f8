/** Minimum and maximum number of characters. */
export interface LengthRange {
  least: number
  most: number
}

/**
 * The lengths of text that a pattern can match as a whole. Supports the syntax that the formats use: characters,
 * classes, groups, alternatives, look-aheads and bounded repeats; only `.+` is unbounded.
 */
export function lengthOf(pattern: RegExp): LengthRange {
  const tokens = pattern.source.match(tokenPattern) ?? []
  return readAlternatives(tokens.values())
}

const tokenPattern = /\(\?[:=!]|[()|^$]|\[[^\]]*\]|\\?[^{}+?*]|\{\d+(?:,\d+)?\}|[?+]/g

function readAlternatives(tokens: Iterator<string>): LengthRange {
  const total: LengthRange = { least: Number.POSITIVE_INFINITY, most: 0 }
  let branch: LengthRange[] = []
  const endBranch = () => {
    total.least = Math.min(total.least, sumOf(branch, 'least'))
    total.most = Math.max(total.most, sumOf(branch, 'most'))
    branch = []
  }
  for (let next = tokens.next(); !next.done && next.value !== ')'; next = tokens.next()) {
    if (next.value === '|') endBranch()
    else addToken(branch, next.value, tokens)
  }
  endBranch()
  return total
}

function addToken(branch: LengthRange[], token: string, tokens: Iterator<string>): void {
  const repeat = repeatOf(token)
  const last = branch.at(-1)
  if (repeat && last) {
    branch.splice(-1, 1, { least: last.least * repeat.least, most: last.most * repeat.most })
  } else if (token.startsWith('(')) {
    const group = readAlternatives(tokens)
    branch.push(token === '(?=' || token === '(?!' ? { least: 0, most: 0 } : group)
  } else if (token !== '^' && token !== '$') {
    branch.push({ least: 1, most: 1 })
  }
}

function repeatOf(token: string): LengthRange | undefined {
  if (token === '?') return { least: 0, most: 1 }
  if (token === '+') return { least: 1, most: Number.POSITIVE_INFINITY }
  if (!token.startsWith('{')) return undefined
  const [least = 0, most = least] = token.slice(1, -1).split(',').map(Number)
  return { least, most }
}

function sumOf(ranges: readonly LengthRange[], end: keyof LengthRange): number {
  return ranges.reduce((sum, range) => sum + range[end], 0)
}
