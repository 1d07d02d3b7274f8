import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { commands } from '../../packages/cli/src/commands.ts'
import { exitCodeTexts } from '../../packages/cli/src/frame/exit-codes.ts'
import { optionsOf } from '../../packages/cli/src/frame/parse.ts'
import { runCli } from '../harness/cli.ts'
import { newFolder } from '../harness/new-folder.ts'

const unused = () => Promise.reject(new Error('the test does not need it'))
const noServer = { version: () => '', start: unused, migrate: unused, examine: unused }

const listed = commands.filter(({ isHidden }) => !isHidden)

describe('help', () => {
  it('lists every command and every exit code', async () => {
    const { code, stdout, stderr } = await runCli(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    for (const { name, summary } of listed) expect(stdout).toMatch(new RegExp(`^  ${name} +${escaped(summary)}$`, 'm'))
    for (const text of Object.values(exitCodeTexts)) expect(stdout).toContain(text)
    expect((await runCli(['help'])).stdout).toBe(stdout)
  })

  it.each(commands.map(({ name }) => name))(
    'of "%s" explains its arguments and options, with examples',
    async (name) => {
      const command = commands.find((each) => each.name === name)
      const { code, stdout } = await runCli([...name.split(' '), '--help'])
      expect(code).toBe(0)
      expect(stdout.split('\n')[0]).toBe(`${command?.summary}.`)
      for (const option of Object.keys(command ? optionsOf(command) : {})) expect(stdout).toContain(`--${option}`)
      for (const { name: word } of command?.arguments ?? []) expect(stdout).toContain(`<${word}>`)
      for (const { line } of command?.examples ?? []) {
        expect(stdout).toContain(`  doorstep ${line}`)
        expect(line.split(' ').slice(0, name.split(' ').length).join(' ')).toBe(name)
      }
      expect((await runCli(['help', ...name.split(' ')])).stdout).toBe(stdout)
    },
  )

  it('of a group lists its commands', async () => {
    const { stdout, code } = await runCli(['keys'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/keys list .*\n.*keys create .*\n.*keys delete /)
    expect((await runCli(['help', 'keys'])).stdout).toBe(stdout)
  })

  it('is there for programs, too', async () => {
    const { json } = await runCli(['help', 'keys', '--json'])
    expect(json.map(({ name }: { name: string }) => name)).toEqual(['keys list', 'keys create', 'keys delete'])
  })
})

describe('declarations', () => {
  it('give no option two meanings', () => {
    const clashes = listed.flatMap((command) =>
      Object.entries(command.options ?? {})
        .filter(([name, option]) => optionsOf(command)[name] !== option)
        .map(([name]) => `${command.name} --${name}`),
    )
    expect(clashes).toEqual([])
  })

  it('give no letter two meanings', () => {
    for (const command of listed) {
      const letters = Object.values(optionsOf(command)).flatMap(({ short }) => short ?? [])
      expect(new Set(letters).size, command.name).toBe(letters.length)
    }
  })
})

describe('a wrong command line', () => {
  it.each([
    [['shosp'], '"doorstep shosp" is not a command.\nDid you mean "doorstep shops"?'],
    [['shops', 'lsit'], '"doorstep shops lsit" is not a command.\nDid you mean "doorstep shops list"?'],
    [['help', 'lisen'], 'Did you mean "doorstep listen"?'],
    [['xyzzy'], '"doorstep help" lists the commands.'],
    [['shops', 'list', '--limt', '3'], 'has no option --limt.\nDid you mean "--limit"?'],
    [['shops', 'list', '--limit', 'many'], '--limit must be a whole number, not "many".'],
    [['shops', 'list', '--limit'], '--limit needs a value: --limit COUNT'],
    [['shops', 'list', '--json=yes'], '--json takes no value.'],
    [['shops', 'list', 'extra'], '"extra" is one argument too many'],
    [['shops', 'show'], '<slug> is missing: the slug of the shop.'],
    [['shops', 'create'], '--name NAME is missing.'],
    [
      ['keys', 'create', '--role', 'editr'],
      'must be one of viewer, editor, admin, not "editr".\nDid you mean "editor"?',
    ],
    [['simulate', 'stolen'], '<journey> must be one of delivered, '],
    [['simulate', 'delivered', '--step', '0s'], '--step must be a time such as 5s'],
    [['listen', '--forward-to', 'http://'], '--forward-to must be an address'],
    [['shops', 'list', '--url', 'ftp://x'], '--url must be an address such as https://doorstep.example'],
    [['shops', 'list', '--profile', 'none'], 'There is no profile "none".'],
    [['shops', 'list', '--constructor'], 'has no option --constructor.'],
  ])('%j is explained, with exit code 2', async (argv, message) => {
    const run = await runCli(argv, { env: { DOORSTEP_SHOP: 'any' } })
    expect(run.stderr).toContain(message)
    expect([run.code, run.stdout]).toEqual([2, ''])
    expect(run.stderr).not.toMatch(/\n {4}at /)
  })

  it('is a JSON document for programs', async () => {
    const { code, stderr } = await runCli(['shops', 'lsit', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(stderr)).toEqual({
      error: {
        key: 'usage',
        message: '"doorstep shops lsit" is not a command.',
        hint: 'Did you mean "doorstep shops list"?',
        errors: [],
        exit_code: 2,
      },
    })
  })
})

describe('exit codes', () => {
  const offline = async () => Promise.reject(new TypeError('fetch failed'))

  it('tell apart why a command failed', async () => {
    const codes = [
      await runCli(['shops', 'list'], { fetch: offline }),
      await runCli(['shops', 'list'], { auth: { username: 'admin', apiKey: 'wrong' } }),
      await runCli(['shops', 'list'], { auth: null }),
      await runCli(['shops', 'show', 'nowhere']),
      await runCli(['shops', 'create', '--name', 'X', '--slug', 'No Slug!']),
    ]
    expect(codes.map(({ code }) => code)).toEqual([3, 4, 4, 5, 6])
    const [unreachable, , without, , rejected] = codes.map(({ stderr }) => stderr)
    expect(unreachable).toContain('There is no service at http://doorstep.example.\nStart one with "doorstep start"')
    expect(without).toContain('No user name and API key for http://doorstep.example.\nRun "doorstep login"')
    expect(rejected).toContain('  body.slug: ')
  })

  it('and errors without a stack trace, unless --debug is given', async () => {
    const broken = async () =>
      new Response('not JSON', { status: 200, headers: { 'content-type': 'application/json' } })
    const run = await runCli(['shops', 'list'], { fetch: broken })
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('This should not happen')
    expect(run.stderr).not.toContain('    at ')
    expect((await runCli(['shops', 'list', '--debug'], { fetch: broken })).stderr).toContain('    at ')
  })
})

describe('output', () => {
  const named = (name: string) => async () => Response.json([{ slug: 'a', name }])

  it('has colours on a terminal only, and not if they are unwanted', async () => {
    const fetch = named('A')
    const sequence = '\u001b['
    expect((await runCli(['shops', 'list'], { fetch, isTerminal: true })).stdout).toContain(sequence)
    expect((await runCli(['shops', 'list'], { fetch })).stdout).not.toContain(sequence)
    const unwanted = { fetch, isTerminal: true }
    expect((await runCli(['shops', 'list', '--no-color'], unwanted)).stdout).not.toContain(sequence)
    expect((await runCli(['shops', 'list'], { ...unwanted, env: { NO_COLOR: '1' } })).stdout).not.toContain(sequence)
    expect((await runCli(['shops', 'list', '--json'], unwanted)).stdout).not.toContain(sequence)
  })

  it("cannot be used by others' data to control the terminal", async () => {
    const fetch = named('Evil\u001b]0;title\u0007\u001b[2J\u202eshop\nsecond line')
    const { stdout } = await runCli(['shops', 'list'], { fetch, isTerminal: true, env: { NO_COLOR: '1' } })
    expect(stdout.trimEnd().split('\n')).toEqual(['SLUG  NAME', 'a     Evil]0;title[2Jshop second line'])
  })
})

describe('--version', () => {
  it('prints the version', async () => {
    const server = { ...noServer, version: () => '1.2.3' }
    expect((await runCli(['--version'], { server })).stdout).toBe('doorstep 1.2.3\n')
    expect((await runCli(['--version', '--json'], { server })).json).toEqual({ version: '1.2.3' })
  })
})

describe('start and migrate', () => {
  it('are the server’s', async () => {
    const calls: string[] = []
    const server = {
      ...noServer,
      start: async () => void calls.push('start'),
      migrate: async () => ['0001_first.sql'],
    }
    expect((await runCli(['start', '--no-color'], { server })).code).toBe(0)
    expect(calls).toEqual(['start'])
    expect((await runCli(['migrate'], { server })).stdout).toBe('Applied 1:\n  0001_first.sql\n')
    expect((await runCli(['migrate', '--json'], { server })).json).toEqual({ applied: ['0001_first.sql'] })
    const broken = { ...server, migrate: () => Promise.reject(new Error('PORT is wrong.')) }
    expect(await runCli(['migrate'], { server: broken })).toMatchObject({
      code: 1,
      stderr: 'Error: The store was not migrated. PORT is wrong.\n',
    })
    expect((await runCli(['migrate'])).stderr).toContain('This command is part of the server.')
  })
})

describe('completion', () => {
  const words = async (...typed: string[]) => {
    const { json } = await runCli(['completion', 'words', '--json', '--', ...typed])
    return json.map(({ word }: { word: string }) => word)
  }

  it('knows commands, options and their values', async () => {
    expect(await words('shop')).toEqual(['shops'])
    expect(await words('keys', '')).toEqual(['list', 'create', 'delete'])
    expect(await words('--json', 'keys', 'cr')).toEqual(['create'])
    expect(await words('keys', 'create', '--ro')).toEqual(['--role'])
    expect(await words('keys', 'create', '--role', 'e')).toEqual(['editor'])
    expect(await words('simulate', '--step', '5s', 'lo')).toEqual(['lost', 'locker'])
    expect(await words('completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(await words('')).toEqual([...new Set(listed.map(({ name }) => name.split(' ')[0]))])
  })

  it('works in bash', async () => {
    const { stdout: script } = await runCli(['completion', 'bash'])
    const { stdout: answer } = await runCli(['completion', 'words', '--', 'keys', ''])
    const folder = newFolder()
    writeFileSync(join(folder, 'script'), script)
    writeFileSync(join(folder, 'answer'), answer)
    const test = [
      'doorstep() { printf "%s|" "$@" > args; cat answer; }',
      'source ./script',
      'COMP_WORDS=(doorstep keys ""); COMP_CWORD=2',
      '_doorstep',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of bash
      'printf "%s\\n" "${COMPREPLY[@]}"; cat args; complete -p doorstep',
    ]
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', test.join('\n')], { cwd: folder })
    expect(stdout).toBe('list\ncreate\ndelete\ncompletion|words|--|keys||complete -o default -F _doorstep doorstep\n')
  })

  it('has scripts for zsh and fish', async () => {
    expect((await runCli(['completion', 'zsh'])).stdout).toContain('compdef _doorstep doorstep')
    expect((await runCli(['completion', 'fish', '--json'])).json.script).toContain('complete -c doorstep')
  })
})

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
