import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './patience.ts'

/** A terminal: what is exported, started in the background or changed in one block is there in the next. */
export class ShellSession {
  /** The output so far. */
  output = ''
  private blocks = 0
  private finished = 0
  private readonly child: ReturnType<typeof spawn>
  private readonly folder: string
  private readonly ended: Promise<number | null>

  constructor(folder: string, environment: Record<string, string>) {
    this.folder = folder
    // A group of its own, so that what it has started in the background ends with it.
    this.child = spawn('bash', ['--noprofile', '--norc', '-euo', 'pipefail'], {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    })
    this.ended = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)))
    const read = (text: string) => {
      this.output += text
    }
    this.child.stdout?.setEncoding('utf8').on('data', read)
    this.child.stderr?.setEncoding('utf8').on('data', read)
    this.child.stdio[3]?.on('data', () => {
      this.finished += 1
    })
    // Bash may have ended by then; the block fails for that.
    this.child.stdin?.on('error', () => {})
  }

  /** Runs one block; throws if a command of it fails. Returns what was printed meanwhile. */
  async run(text: string): Promise<string> {
    this.blocks += 1
    const file = join(this.folder, `.block-${this.blocks}.sh`)
    writeFileSync(file, `${text}\n`)
    const before = this.output.length
    this.child.stdin?.write(`source '${file}' < /dev/null 3>&-\necho >&3\n`)
    const done = until(() => this.finished >= this.blocks || undefined)
    const failed = this.ended.then((code) => {
      throw new Error(`it failed with ${code}:\n${text}\n\n${this.output.slice(before)}`)
    })
    await Promise.race([done, failed])
    return this.output.slice(before)
  }

  /** Waits until these lines were printed, in this order. `…` stands for anything; a command before may have left its line open. */
  async expectLines(lines: readonly string[]): Promise<void> {
    await until(() => missingLine(this.output, lines) === undefined || undefined).catch(() => {
      throw new Error(`"${missingLine(this.output, lines)}" was not printed:\n${this.output}`)
    })
  }

  async close(): Promise<void> {
    if (this.child.pid === undefined) return
    try {
      process.kill(-this.child.pid, 'SIGKILL')
    } catch {
      // The whole group has ended.
    }
    await this.ended
  }
}

function missingLine(output: string, lines: readonly string[]): string | undefined {
  const printed = output.split('\n')
  let from = 0
  for (const line of lines) {
    const pattern = new RegExp(`${line.split('…').map(escapePattern).join('.*')}$`)
    const at = printed.findIndex((each, index) => index >= from && pattern.test(each.trim()))
    if (at < 0) return line
    from = at + 1
  }
  return undefined
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
