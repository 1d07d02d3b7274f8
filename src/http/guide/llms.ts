import { contents, frontPage, guidePath } from './contents.ts'
import type { GuidePage } from './page.ts'

/** /llms.txt: what there is to read, for programs that read instead of people. */
export function listForAgents(pages: readonly GuidePage[], publicUrl: string): string {
  const byName = new Map(pages.map((page) => [page.name, page]))
  const line = ({ name, title, summary }: GuidePage) => `- [${title}](${publicUrl}${guidePath}/${name}.md): ${summary}`
  const subjects = contents.map(({ title, pages: names }) => {
    const own = names.map((name) => byName.get(name)).filter((page) => page !== undefined)
    return `## ${title}\n\n${own.map(line).join('\n')}\n`
  })
  return `# Doorstep

> ${byName.get(frontPage)?.summary ?? ''}

Every page of the guide is Markdown. The API is described by ${publicUrl}/openapi.json (OpenAPI 3.1), with the same content for people at
${publicUrl}/docs; what is sent, by ${publicUrl}/asyncapi.json (AsyncAPI). Agents with tools connect to ${publicUrl}/mcp. The whole guide in one file: ${publicUrl}/llms-full.txt

${subjects.join('\n')}`
}

export function wholeGuide(pages: readonly GuidePage[]): string {
  return pages
    .map(({ markdown }) => markdown.trim())
    .join('\n\n---\n\n')
    .concat('\n')
}
