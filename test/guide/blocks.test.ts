import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { renderSystemsPage } from '../../src/adapters/systems-page.ts'
import { contents, frontPage } from '../../src/http/guide/contents.ts'
import { readPage } from '../../src/http/guide/page.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { Environment } from '../../src/platform/config/environment.ts'
import { renderSettingsPage } from '../../src/platform/config/settings-page.ts'
import { slugOf } from '../../src/platform/foundation/html.ts'
import { type Block, blocksOf, guideFolder, guidePages } from '../harness/guide-blocks.ts'
import { findOperation } from '../harness/service.ts'

const root = new URL('../../', import.meta.url)
const blocks = guidePages.flatMap(blocksOf)
const placeOf = ({ page, line }: Block) => `${page}:${line}`
const marked = (word: string) => blocks.filter(({ words }) => words.includes(word))

describe('pages of the guide', () => {
  it('are those of its contents', () => {
    const listed = [frontPage, ...contents.flatMap(({ pages }) => pages)].map((name) => `${name}.md`)
    expect(listed.toSorted()).toEqual(guidePages)
  })

  it('list the settings as they are declared: `npm run generate:settings` writes them', () => {
    expect(readFileSync(new URL('settings.md', guideFolder), 'utf8')).toBe(renderSettingsPage())
  })

  it('list the systems as they are described: `npm run generate:systems` writes them', () => {
    expect(readFileSync(new URL('systems.md', guideFolder), 'utf8')).toBe(renderSystemsPage())
  })

  it('link to pages and headings that exist', () => {
    const targets = new Set(
      guidePages.flatMap((page) => {
        const { sections } = readPage(page, readFileSync(new URL(page, guideFolder), 'utf8'))
        return [page, ...sections.map(({ heading }) => `${page}#${slugOf(heading)}`)]
      }),
    )
    const links = guidePages.flatMap((page) =>
      [...readFileSync(new URL(page, guideFolder), 'utf8').matchAll(/\]\(([\w-]*\.md)?(#[\w-]+)?\)/g)].map(
        ([, file = page, hash = '']) => `${file}${hash}`,
      ),
    )
    expect(links.filter((link) => !targets.has(link))).toEqual([])
    expect(links.length).toBeGreaterThan(20)
  })
})

describe('blocks of the guide', () => {
  /** `run`, `key`, `output`, `install`, `link`, `service` and files are followed by follow.test.ts; the others are checked below. */
  const ways = ['run', 'key', 'output', 'install', 'link', 'service', 'settings', 'account', 'repository']

  it('say how they are checked', () => {
    const isChecked = ({ language, words, fields }: Block) =>
      fields.has('file') ||
      (language === 'mermaid' && fields.has('picture')) ||
      words.some((word) => ways.includes(word))
    expect(blocks.filter((block) => !isChecked(block)).map(placeOf)).toEqual([])
  })

  it('are mostly run: few need an account, a server or a checkout of their own', () => {
    // Settings are read by the service's own parser.
    const notRun = [...marked('account'), ...marked('repository')]
    expect(notRun.length).toBeLessThan(marked('run').length / 2)
  })

  it.each(marked('settings').map((block) => [placeOf(block), block] as const))(
    '%s has valid settings',
    (_place, block) => {
      const given = [...block.text.matchAll(/\b([A-Z][A-Z0-9_]+)=(?:"([^"]*)"|(\S+))/g)].map(
        ([, name = '', quoted, plain = '']) => [name, quoted ?? plain],
      )
      const known = Object.keys(Environment.properties)
      expect(given.filter(([name = '']) => !known.includes(name))).toEqual([])
      expect(given.length).toBeGreaterThan(0)
      expect(() => readConfig(Object.fromEntries(given))).not.toThrow()
    },
  )

  it('call operations that exist', () => {
    const calls = [...marked('run'), ...marked('account')].flatMap((block) =>
      callsOf(block.text).map((call) => ({ ...call, place: placeOf(block) })),
    )
    expect(calls.length).toBeGreaterThan(30)
    const pages = /^\/(healthz|readyz|metrics|openapi\.json|asyncapi\.json|mcp|llms\.txt|docs)/
    const unknown = calls.filter(({ method, path }) => !pages.test(path) && findOperation(method, path) === undefined)
    expect(unknown).toEqual([])
  })

  it('are commands and JSON without a syntax error', () => {
    const commands = [...marked('account'), ...marked('repository')].filter(({ language }) => language === 'sh')
    expect(commands.length).toBeGreaterThan(30)
    for (const { text } of commands) expect(() => execFileSync('bash', ['-n', '-c', text])).not.toThrow()
    const files = blocks.filter(({ language }) => language === 'json')
    expect(files).not.toEqual([])
    for (const { text } of files) expect(() => JSON.parse(text)).not.toThrow()
  })

  it('use scripts of the repository that exist', () => {
    const scripts = ['package.json', 'bench/package.json'].flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(new URL(file, root), 'utf8')).scripts),
    )
    const used = marked('repository').flatMap(({ text }) =>
      [...text.matchAll(/npm run (\S+)/g)].map(([, name]) => name),
    )
    expect(used.filter((name) => !scripts.includes(name ?? ''))).toEqual([])
    expect(used.length).toBeGreaterThan(0)
  })

  it('have a diagram with the same words for each Mermaid source', () => {
    const diagrams = blocks.filter(({ language }) => language === 'mermaid')
    for (const { text, fields } of diagrams) {
      const drawn = readFileSync(new URL(`diagrams/${fields.get('picture')}`, guideFolder), 'utf8')
      expect(fields.get('alt')).toMatch(/^[A-Z].{40,}\.$/)
      for (const label of labelsOf(text)) expect(drawn).toContain(`>${label}<`)
    }
    expect(diagrams.map(({ fields }) => fields.get('picture')).toSorted()).toEqual(
      readdirSync(new URL('diagrams/', guideFolder)).toSorted(),
    )
  })

  it('that configure other programs are well-formed', () => {
    const textOf = (file: string) => blocks.find(({ fields }) => fields.get('file') === file)?.text ?? ''
    expect(leftOverOfNginx(textOf('nginx.conf'))).toBe('')
    const unit = textOf('doorstep.service').split('\n')
    expect(unit.filter((line) => line !== '' && !/^#|^\[\w+\]$|^[A-Z]\w+=/.test(line))).toEqual([])
    const [, program = 'missing'] =
      /^ExecStart=\S+(?: --\S+)* node_modules\/doorstep-server\/(\S+)$/m.exec(unit.join('\n')) ?? []
    expect(existsSync(new URL(program, root))).toBe(true)
  })
})

/** The method and path of each curl command. */
function callsOf(text: string): { method: string; path: string }[] {
  const variables = new Map(
    [...text.matchAll(/^(?:export )?([A-Z]+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  const whole = text
    .replaceAll('\\\n', ' ')
    .replaceAll(/\$([A-Z]+)(?=\/)/g, (_all, name) => variables.get(name) ?? known(name))
  return [...whole.matchAll(/curl [\s\S]*?(?=\bcurl |$)/g)].flatMap(([command]) => {
    const [, path] = /http:\/\/localhost:8080(\/[^\s'"?]*)/.exec(command) ?? []
    if (path === undefined) return []
    const method = / -X ([A-Z]+)/.exec(command)?.[1] ?? (/ (-d|-F|--data-binary) /.test(command) ? 'POST' : 'GET')
    return [{ method, path: path.replaceAll(/\$\w+/g, 'x') }]
  })
}

/** Variables that a block before has set. */
function known(name: string): string {
  return (
    { ENDPOINT: 'http://localhost:8080/v1/shops/demo/webhooks/x', SHOP: 'http://localhost:8080/v1/shops/my-shop' }[
      name
    ] ?? name
  )
}

/** The states, nodes and labels of a Mermaid source. */
function labelsOf(text: string): string[] {
  const states = [...text.matchAll(/^\s+(\w+) --> (\w+)(?:: (.+))?$/gm)].flatMap(([, ...words]) => words)
  const nodes = [...text.matchAll(/\[([^\]*]+)\]/g), ...text.matchAll(/\|([^|]+)\|/g)].map(([, label]) => label)
  return [...states, ...nodes].filter((label) => label !== undefined && !/^[A-Z]$/.test(label)).map(String)
}

/** The rest after directives and blocks are removed, from the innermost outwards: nothing. */
function leftOverOfNginx(text: string): string {
  let rest = text
  for (;;) {
    const next = rest.replaceAll(/[a-z_]+( [^\s;{}]+)* ?\{(\s*[a-z_]+( [^\s;{}]+)*;)*\s*\}/g, 'block;')
    if (next === rest) return rest.replaceAll(/\s|block;/g, '')
    rest = next
  }
}
