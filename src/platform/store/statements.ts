/** What must not be taken apart: comments, quoted texts and names, bodies between dollar signs. */
const whole = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/y

/** The statements of a migration, each without the comments around it. */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let current = ''
  for (let at = 0; at < text.length; ) {
    whole.lastIndex = at
    const [piece = text[at] ?? ''] = whole.exec(text) ?? []
    at += piece.length
    if (piece === ';') {
      statements.push(current)
      current = ''
    } else current += /^(--|\/\*)/.test(piece) ? ' ' : piece
  }
  return [...statements, current].map((statement) => statement.trim()).filter((statement) => statement !== '')
}
