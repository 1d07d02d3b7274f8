import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readDockerfile } from '../../bin/dockerfile.ts'
import { bodyLimits } from '../../src/http/incoming-bodies.ts'
import { operations } from '../../src/operations.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { Environment } from '../../src/platform/config/environment.ts'
import { parseTrustedProxies, trustOf } from '../../src/platform/foundation/trusted-proxies.ts'
import { blocksOf } from '../harness/guide-blocks.ts'
import { call } from '../harness/service.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** The settings where nothing is set. */
const usual = readConfig({})
const stages = readDockerfile(read('Dockerfile'))
const image = stages.at(-1)
const textOf = (name: string) => image?.instructions.find((each) => each.name === name)?.text ?? ''

/** `NAME_FILE` names a file with the value of NAME. One is for the C library, not for us. */
const unknownSettings = (names: string[]) => {
  const known = [...Object.keys(Environment.properties), 'MALLOC_TRIM_THRESHOLD_']
  return names.filter((name) => !known.includes(name.replace(/_FILE$/, '')))
}

interface Container {
  args?: string[]
  env?: { name: string; value: string }[]
  ports?: { containerPort: number }[]
  securityContext: Record<string, unknown>
  resources: { limits: unknown; requests: unknown }
  volumeMounts: { name: string; mountPath: string }[]
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } }
}
interface Manifest {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec?: {
    selector: { matchLabels?: Record<string, string> }
    template: {
      metadata: { labels: Record<string, string> }
      spec: {
        securityContext: Record<string, unknown>
        containers: Container[]
        initContainers: Container[]
        volumes: { name: string; emptyDir?: { medium?: string; sizeLimit?: string } }[]
      }
    }
  }
}

function manifestsIn(file: string): Manifest[] {
  return parseAllDocuments(read(join('deploy/kubernetes', file))).map((document) => {
    expect(document.errors ?? []).toEqual([])
    return document.toJS() as Manifest // checked field by field below
  })
}

describe('Dockerfile', () => {
  it('copies what exists and is not ignored', () => {
    const copied = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ name, flags }) => name === 'COPY' && !flags.has('from'))
      .flatMap(({ words }) => words.slice(0, -1))
    expect(copied.length).toBeGreaterThan(10)
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const kept = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    expect(copied.filter((path) => !kept.some((each) => path === each || path.startsWith(`${each}/`)))).toEqual([])
  })

  it('installs the packages of every workspace', () => {
    const folders = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'web/dashboard']
    for (const folder of folders) expect(read('Dockerfile')).toContain(`COPY ${folder}/package.json ${folder}/\n`)
  })

  it('pins its bases, and the newest Node of them is one that we support', () => {
    const bases = [...new Set(stages.map(({ image }) => image))]
    expect(bases).toEqual(['node:24-bookworm-slim', 'debian:bookworm-slim'])
  })

  it('runs as a user without rights, with a health check at an address that exists', async () => {
    expect(textOf('USER')).toMatch(/^[1-9]\d+:[1-9]\d+$/)
    expect(textOf('EXPOSE')).toBe(String(usual.port))
    const names = image?.instructions.filter(({ name }) => name === 'ENV').flatMap(({ words }) => words) ?? []
    expect(unknownSettings(names.map((word) => word.split('=')[0] ?? ''))).toEqual([])
    const [, path = ''] = /(\/\w+)`/.exec(textOf('HEALTHCHECK')) ?? []
    expect((await call('GET', path, { auth: null })).status).toBe(200)
  })
})

describe('compose.yaml', () => {
  const { services, volumes, secrets } = parse(read('compose.yaml'))

  it('has known settings, volumes and secrets', () => {
    expect(unknownSettings(Object.keys(services.doorstep.environment))).toEqual([])
    const commented = [...read('compose.yaml').matchAll(/^ +# ([A-Z0-9_]+):/gm)].map(([, name = '']) => name)
    expect([commented.length, unknownSettings(commented)]).toEqual([4, []])
    for (const service of Object.values<Record<string, string[]>>(services)) {
      for (const volume of service.volumes ?? []) expect(volumes).toHaveProperty(volume.split(':')[0] ?? '')
      for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty(secret)
    }
    const mounted = Object.values<{ secrets?: string[] }>(services).flatMap((service) => service.secrets ?? [])
    expect(Object.keys(secrets).sort()).toEqual([...new Set(mounted)].sort())
    const made = blocksOf('containers.md').map(({ text }) => text)
    for (const name of Object.keys(secrets)) expect(made.join('\n')).toMatch(new RegExp(`> secrets/${name}\\b`))
  })

  it.each(Object.entries<Record<string, unknown>>(services))('gives %s no rights', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    for (const right of ['cap_add', 'privileged', 'network_mode', 'pid', 'ipc', 'devices']) {
      expect(service).not.toHaveProperty(right)
    }
    // The image of ours has a user of its own.
    if (service.build === undefined) expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })

  it('names the images of others by exact versions', () => {
    const images = Object.values<{ build?: string; image: string }>(services).flatMap(({ build, image }) =>
      build === undefined ? [image] : [],
    )
    expect(images).toHaveLength(2)
    for (const image of images) expect(image).toMatch(/:\d+\.\d+(?:\.\d+)?(?:-[a-z]+)?$/)
    // Neither is published any longer.
    expect(images.join()).not.toMatch(/minio|mailhog/i)
  })

  it('lets Prometheus in with a token', () => {
    const { METRICS_TOKEN_FILE: file } = services.doorstep.environment
    expect(services.doorstep.secrets.map((name: string) => `/run/secrets/${name}`)).toContain(file)
  })

  it('mounts the volume of the image and publishes its port on this machine only', () => {
    expect(services.doorstep.volumes).toEqual([`doorstep:${textOf('VOLUME')}`, 'temporary:/tmp'])
    expect(services.doorstep.ports).toEqual([`127.0.0.1:8080:${textOf('EXPOSE')}`])
    expect(services.doorstep.depends_on.postgres.condition).toBe('service_healthy')
    expect(services.s3.profiles).toEqual(['s3'])
  })
})

describe('Kubernetes manifests', () => {
  const files: string[] = manifestsIn('kustomization.yaml').flatMap(
    (each) => (each as unknown as { resources: string[] }).resources,
  )
  const manifests = files.flatMap(manifestsIn)
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment')

  it('are all listed, with known settings', () => {
    expect([...files, 'kustomization.yaml'].sort()).toEqual(readdirSync(join(root, 'deploy/kubernetes')).sort())
    const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
    expect(unknownSettings(Object.keys(settings))).toEqual([])
  })

  it('trust no proxy before its addresses are filled in', () => {
    const { TRUST_PROXY: text = '' } = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
    const trusted = parseTrustedProxies(text)
    if (trusted === undefined) throw new Error('there is nothing to fill in')
    // Networks: a number of proxies would trust anybody who reaches the port.
    expect(trusted).toHaveProperty('networks')
    const isTrusted = trustOf(trusted)
    const peers = [
      '10.0.0.1',
      '10.244.3.9',
      '172.17.0.2',
      '192.168.1.1',
      '100.64.0.9',
      '127.0.0.1',
      'fd00::1',
      '203.0.113.9',
    ]
    expect(peers.filter((peer) => isTrusted(peer, 0))).toEqual([])
    const examples = [...read('deploy/kubernetes/settings.yaml').matchAll(/\b\d+(?:\.\d+){3}\/(\d+)/g)]
    expect(examples.map(([, prefix]) => Number(prefix)).filter((prefix) => prefix < 24)).toEqual([])
  })

  it('have room on disk for what is uploaded', () => {
    for (const { metadata, spec } of deployments) {
      const pod = spec?.template.spec
      const [container] = pod?.containers ?? []
      const sizeAt = (path: string) => {
        const name = container?.volumeMounts.find(({ mountPath }) => mountPath === path)?.name
        const volume = pod?.volumes.find((each) => each.name === name)?.emptyDir
        expect(volume, path).not.toHaveProperty('medium')
        const [, count = '0', unit = ''] = /^(\d+)([MG])i$/.exec(volume?.sizeLimit ?? '') ?? []
        return Number(count) * (unit === 'G' ? 2 ** 30 : 2 ** 20)
      }
      const sizes = [sizeAt('/tmp'), sizeAt('/var/lib/doorstep')]
      // Only this one takes uploads: photos, and the files of imports and of whole shops.
      const needed = bodyLimits.links.bytes.all + usual.importLimitBytes
      if (metadata.name === 'doorstep-api') expect(Math.min(...sizes)).toBeGreaterThan(needed)
      expect(Math.min(...sizes)).toBeGreaterThan(0)
    }
  })

  it('let Prometheus in with a token', () => {
    const { METRICS_TOKEN_FILE: file } = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
    expect(file).toBe('/run/secrets/doorstep/METRICS_TOKEN')
    const made = blocksOf('kubernetes.md').map(({ text }) => text)
    expect(made.join('\n')).toContain('--from-literal=METRICS_TOKEN=')
  })

  it.each(deployments.map((each) => [each.metadata.name, each] as const))(
    '%s is probed and has no rights',
    async (_name, { spec }) => {
      if (spec === undefined) throw new Error('it has no spec')
      const { metadata, spec: pod } = spec.template
      expect(metadata.labels).toEqual(spec.selector.matchLabels)
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(textOf('USER').split(':')[0]) })
      const [container] = pod.containers
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
        const path = container?.[probe]?.httpGet.path ?? ''
        expect((await call('GET', path, { auth: null })).status).toBe(200)
      }
      expect(container?.ports?.[0]?.containerPort).toBe(usual.port)
      expect(container?.env).toEqual([{ name: 'ROLE', value: metadata.labels['app.kubernetes.io/component'] }])
      for (const each of [...pod.containers, ...pod.initContainers]) {
        expect(each.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
        expect(each.resources.limits).toBeDefined()
        for (const { name } of each.volumeMounts) expect(pod.volumes.map((volume) => volume.name)).toContain(name)
      }
      expect(
        manifests.some(
          ({ kind, spec: other }) =>
            kind === 'PodDisruptionBudget' && JSON.stringify(other?.selector) === JSON.stringify(spec.selector),
        ),
      ).toBe(true)
    },
  )

  it('are one deployment for requests and one for background work', () => {
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual(['doorstep-api', 'doorstep-worker'])
  })
})

describe('doorstep.service', () => {
  const unit = read('deploy/systemd/doorstep.service')

  it('is the one that the guide shows', () => {
    const shown = blocksOf('systemd.md').find(({ fields }) => fields.get('file') === 'doorstep.service')
    expect(unit).toBe(`${shown?.text}\n`)
  })

  it('has known settings and starts what exists', () => {
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name)
    expect([names.length, unknownSettings(names)]).toEqual([5, []])
    const [, program = 'missing'] = /^ExecStart=\S+(?: --\S+)* node_modules\/doorstep-server\/(\S+)$/m.exec(unit) ?? []
    expect(existsSync(join(root, program))).toBe(true)
    for (const [, name] of unit.matchAll(/^Environment=\w+=%d\/(\S+)$/gm))
      expect(unit).toContain(`LoadCredential=${name}:`)
  })
})

describe('flags of Node', () => {
  it('are the same however the service is started', () => {
    const starts = [
      JSON.parse(read('package.json')).scripts.start,
      read('bin/doorstep.js').split('\n')[0],
      JSON.parse(textOf('ENTRYPOINT')).join(' '),
      /^ExecStart=.*$/m.exec(read('deploy/systemd/doorstep.service'))?.[0],
    ]
    const [first, ...others] = starts.map((command) => command.match(/ --\S+/g))
    expect(first).toHaveLength(1)
    for (const flags of others) expect(flags).toEqual(first)
  })
})

describe('nginx configuration', () => {
  const router = read('deploy/nginx/doorstep-router.conf')

  it('finds the shop in the address of every operation that has one', () => {
    const [, pattern = ''] = /"~(\^[^"]+)" \$slug/.exec(router) ?? []
    const paths = operations.map(({ path }) => path).filter((path) => path.includes('{slug}'))
    const missed = paths.filter((path) => new RegExp(pattern).exec(path)?.groups?.slug !== '{slug}')
    expect([paths.length > 100, missed]).toEqual([true, []])
  })

  it('allows what the service allows', () => {
    const [bodies = 0, imports = 0] = [...router.matchAll(/client_max_body_size (\d+)m;/g)].map(
      ([, size]) => Number(size) * 1_048_576,
    )
    expect(bodies).toBeGreaterThan(Math.max(usual.bodyLimitBytes, usual.imageLimitBytes))
    expect(imports).toBeGreaterThan(usual.importLimitBytes)
  })
})

describe('scripts of the deployment', () => {
  it('exist', () => {
    const { scripts } = JSON.parse(read('package.json'))
    expect(existsSync(join(root, scripts['replay:dockerfile'].split(' ')[1]))).toBe(true)
    expect(() => execFileSync('bash', ['-n', join(root, '.ci/run')])).not.toThrow()
  })
})
