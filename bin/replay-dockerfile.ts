// Runs the steps of the Dockerfile without a container engine: `npm run replay:dockerfile`. Needs root, Debian's debootstrap
// and about 2 GB in the temporary folder. Each stage is a folder with a minimal Debian; RUN happens inside it by chroot. The
// result is started as its USER on a read-only root, as the compose file and the Kubernetes manifests do.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Instruction, readDockerfile, type Stage } from './dockerfile.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'doorstep-image-'))
const architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
/** The mounts that a container has, in a name space of their own. */
const mounts = 'mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc"'
const say = (text: string) => process.stdout.write(`${text}\n`)
const megabytes = (folder: string) =>
  Math.round(Number(run('du', ['-s', '--block-size=1000', folder]).split('\t')[0]) / 1000)

interface Built {
  folder: string
  workdir: string
  environment: Record<string, string>
  user: string
  volume: string
  entryPoint: string[]
  healthCheck: string[]
}

try {
  const stages = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))
  const built = new Map<string, Built>()
  for (const [index, stage] of stages.entries()) built.set(stage.name ?? String(index), build(stage, built))
  const image = [...built.values()].at(-1)
  if (image === undefined) throw new Error('The Dockerfile has no stage.')
  const base = megabytes(join(work, 'debian'))
  say(
    `The image has ${megabytes(image.folder)} MB: ${base} MB of Debian (debootstrap's, which is larger than bookworm-slim),`,
  )
  say(
    `${megabytes(join(image.folder, 'usr/local/bin'))} MB of Node, ${megabytes(join(image.folder, 'opt/doorstep'))} MB of Doorstep with its packages`,
  )
  await start(image)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function run(program: string, args: string[], options: { cwd?: string } = {}): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e9,
    ...options,
  })
}

/** The folder of a base image: a minimal Debian, with Node and npm if that is in its name. */
function baseOf(image: string): string {
  const debian = join(work, 'debian')
  if (!existsSync(debian)) {
    say('debootstrap: bookworm')
    run('debootstrap', ['--variant=minbase', 'bookworm', debian])
    rmSync(join(debian, 'var/cache/apt'), { recursive: true, force: true })
    rmSync(join(debian, 'var/lib/apt/lists'), { recursive: true, force: true })
  }
  if (image === 'debian:bookworm-slim') return debian
  const [, major] = /^node:(\d+)-bookworm-slim$/.exec(image) ?? []
  if (major === undefined) throw new Error(`There is no replacement for ${image} here.`)
  const withNode = join(work, `node-${major}`)
  if (existsSync(withNode)) return withNode
  run('cp', ['-a', debian, withNode])
  const fetched = join(work, 'fetched')
  const packages = [`node-linux-${architecture}@${major}`, 'npm@11']
  run('npm', ['install', '--prefix', fetched, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...packages])
  const local = join(withNode, 'usr/local')
  copyFileSync(join(fetched, `node_modules/node-linux-${architecture}/bin/node`), join(local, 'bin/node'))
  cpSync(join(fetched, 'node_modules/npm'), join(local, 'lib/node_modules/npm'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  return withNode
}

function build(stage: Stage, built: Map<string, Built>): Built {
  say(`FROM ${stage.image}${stage.name ? ` AS ${stage.name}` : ''}`)
  const folder = mkdtempSync(join(work, 'stage-'))
  run('cp', ['-a', `${baseOf(stage.image)}/.`, folder])
  const result: Built = {
    folder,
    workdir: '/',
    environment: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
    user: '0:0',
    volume: '',
    entryPoint: [],
    healthCheck: [],
  }
  for (const instruction of stage.instructions) step(instruction, result, built)
  return result
}

function step({ name, text, words, flags }: Instruction, into: Built, built: Map<string, Built>): void {
  say(`${name} ${text}`)
  if (name === 'WORKDIR') {
    into.workdir = resolve(into.workdir, text)
    mkdirSync(join(into.folder, into.workdir), { recursive: true })
  } else if (name === 'ENV') {
    for (const word of words) into.environment[word.split('=')[0] ?? ''] = word.slice(word.indexOf('=') + 1)
  } else if (name === 'COPY') copy(words, flags.get('from'), into, built)
  else if (name === 'RUN') inside(into, text)
  else if (name === 'USER') into.user = text
  else if (name === 'VOLUME') into.volume = text
  else if (name === 'ENTRYPOINT' || name === 'CMD') into.entryPoint.push(...words)
  else if (name === 'HEALTHCHECK') into.healthCheck = words
}

/** As Docker copies: folders by their contents. What .dockerignore leaves out is not here in a clone. */
function copy(words: string[], from: string | undefined, into: Built, built: Map<string, Built>): void {
  const source = from === undefined ? root : built.get(from)?.folder
  if (source === undefined) throw new Error(`There is no stage ${from}.`)
  const target = words.at(-1) ?? ''
  const place = join(into.folder, resolve(into.workdir, target))
  for (const word of words.slice(0, -1)) {
    const path = join(source, word)
    const isFolder = run('stat', ['-c', '%F', path]).trim() === 'directory'
    const to = isFolder || !(target.endsWith('/') || words.length > 2) ? place : join(place, basename(word))
    mkdirSync(isFolder ? to : dirname(to), { recursive: true })
    const left = from === undefined ? ['--exclude=node_modules', '--exclude=dist', '--exclude=.cache'] : []
    if (isFolder)
      execFileSync('sh', ['-c', 'tar -C "$0" "$@" -cf - . | tar -C "$TO" -xpf -', path, ...left], {
        env: { ...process.env, TO: to },
      })
    else copyFileSync(path, to)
  }
}

function inside({ folder, workdir, environment }: Built, command: string): void {
  // The network and the registry of this machine: nothing of it stays in the folder.
  const [registry = '', cafile = ''] = ['registry', 'cafile'].map((name) => run('npm', ['config', 'get', name]).trim())
  const lent = ['/etc/resolv.conf', '/etc/hosts', cafile].filter(existsSync)
  const npm = { npm_config_registry: registry, ...(existsSync(cafile) ? { npm_config_cafile: cafile } : {}) }
  const variables = Object.entries({ ...environment, ...npm }).map(([name, value]) => `${name}=${value}`)
  const script = [
    mounts,
    ...lent.map((file) => `mkdir -p "$1${dirname(file)}" && touch "$1${file}" && mount --bind ${file} "$1${file}"`),
    'mount -t tmpfs tmpfs "$1/root"',
    'root=$1; shift; exec chroot "$root" /usr/bin/env -i "$@"',
  ].join(' && ')
  const shell = ['sh', '-c', `cd ${workdir} && ${command}`]
  run('unshare', ['--mount', '--pid', '--fork', 'sh', '-ec', script, 'replay', folder, ...variables, ...shell])
}

/** Starts it as its user, with a read-only root, and looks at it from outside. */
async function start({ folder, environment, user, volume, entryPoint, healthCheck, workdir }: Built): Promise<void> {
  const port = await freePort()
  const owner = user
    .split(':')
    .map((id, index) => `${index === 0 ? 'uid' : 'gid'}=${id}`)
    .join(',')
  const script = [
    'mount --bind "$1" "$1"',
    mounts,
    'mount -t tmpfs tmpfs "$1/tmp"',
    `mount -t tmpfs -o ${owner},mode=0700 tmpfs "$1${volume}"`,
    'mount -o remount,bind,ro "$1" "$1"',
    `root=$1; shift; exec chroot --userspec=${user} "$root" /usr/bin/env -i -C ${workdir} "$@"`,
  ].join(' && ')
  const variables = Object.entries({ ...environment, PORT: String(port) }).map(([name, value]) => `${name}=${value}`)
  const service = spawn('unshare', ['--mount', 'sh', '-ec', script, 'replay', folder, ...variables, ...entryPoint], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(service, 'exit')
  try {
    let output = ''
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const url = `http://127.0.0.1:${port}`
    for (let tries = 0; tries < 600 && !output.includes('Ctrl+C stops it'); tries += 1) {
      if (service.exitCode !== null) throw new Error(`It ended with ${service.exitCode}: ${output}`)
      await new Promise((wait) => setTimeout(wait, 200))
    }
    const status = readFileSync(`/proc/${service.pid}/status`, 'utf8')
    check(`runs as ${user}`, /^Uid:\s+(\d+)/m.exec(status)?.[1] === user.split(':')[0])
    // Of each mount: its number, its parent's, the device, the folder that is mounted, the place, the options.
    const places = readFileSync(`/proc/${service.pid}/mountinfo`, 'utf8').split('\n')
    check('its root is read-only', / \/ ro[, ]/.test(places.find((place) => place.split(' ')[4] === '/') ?? ''))
    for (const path of ['/healthz', '/readyz', '/docs', '/docs/guide']) check(path, (await fetch(url + path)).ok)
    const page = await (await fetch(`${url}/dashboard`)).text()
    const [, script = '/missing'] = /src="(\/dashboard\/-\/[^"]+)"/.exec(page) ?? []
    check(`the dashboard, ${script}`, (await fetch(url + script)).ok)
    const within = ['-t', String(service.pid), '--mount', '--root', '/usr/bin/env', '-i', ...variables]
    const touched = spawnSync('nsenter', [...within, 'touch', '/opt/doorstep/probe'], { encoding: 'utf8' })
    check('nobody writes to it, not even root', /Read-only file system/.test(touched.stderr))
    run('nsenter', [...within, ...healthCheck])
    check(`the health check: ${healthCheck[0]} exits with 0`, true)
    const wrong = spawnSync('nsenter', [...within, 'PORT=1', ...healthCheck])
    check('the health check fails where nothing answers', wrong.status === 1)
    check('the command line', run('nsenter', [...within, 'doorstep', '--version']).trim() !== '')
    service.kill('SIGTERM')
    const [code] = await ended
    check('stops on SIGTERM', code === 0)
  } finally {
    service.kill('SIGKILL')
  }
}

function check(what: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`Not as it should be: ${what}`)
  say(`ok: ${what}`)
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((found) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
