import { textOf } from '../read-fields.ts'

/** Plain text: WordPress stores names with HTML entities. */
export function readableText(value: unknown, maxLength = 1_000): string | undefined {
  return textOf(typeof value === 'string' ? decodeEntities(value.slice(0, maxLength * 10)) : value, maxLength)
}

/** The parts of a name, separated by spaces. */
export function joinedText(...parts: unknown[]): string | undefined {
  return textOf(
    parts
      .map((part) => readableText(part))
      .filter(Boolean)
      .join(' '),
  )
}

function decodeEntities(text: string): string {
  return text.replace(/&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8}\d{0,2});/g, (entity, name: string) => {
    if (name.startsWith('#')) return characterOf(name) ?? entity
    return Object.hasOwn(named, name) ? (named[name] ?? entity) : entity
  })
}

function characterOf(name: string): string | undefined {
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}

/** The named entities of Latin-1, in order from U+00A0. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

const named: Readonly<Record<string, string>> = {
  ...Object.fromEntries(latin1.split(' ').map((name, index) => [name, String.fromCodePoint(0xa0 + index)])),
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  lsaquo: '‹',
  rsaquo: '›',
  hellip: '…',
  bull: '•',
  euro: '€',
  trade: '™',
  minus: '−',
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Zcaron: 'Ž',
  zcaron: 'ž',
  prime: '′',
  Prime: '″',
}
