import { command } from '../frame/command.ts'
import { connectionOptions } from '../frame/common-options.ts'
import { type Connection, findConnection } from '../frame/connection.ts'
import { exitCodes } from '../frame/exit-codes.ts'
import type { Finding, Io } from '../frame/io.ts'
import type { Output } from '../frame/output.ts'

const timeoutMs = 10_000

/** The `Date` header has whole seconds, and a response takes its time. */
const maxSkewSeconds = 5

export const doctor = command({
  name: 'doctor',
  summary: 'Look for what is wrong with an installation',
  details:
    'On the machine of the server, with the same environment: settings, store, migrations, clocks, encryption key, disk and\n' +
    'mail server. Everywhere: whether the service and its public address respond. Changes nothing.\n\n' +
    `Exits with ${exitCodes.different} if there is a problem; warnings alone do not count.`,
  needs: 'nothing',
  options: connectionOptions,
  examples: [
    { line: 'doctor', says: 'Everything, with advice' },
    { line: 'doctor --url https://doorstep.example --json', says: 'For monitoring' },
  ],
  async run({ options, output, io }) {
    const examination = await io.server?.examine()
    const findings = examination?.findings ?? []
    const connection = findConnection(io, options)
    findings.push(...(await checkService(io, connection)))
    const { publicUrl } = examination ?? {}
    if (publicUrl !== undefined && publicUrl !== connection.url) findings.push(await checkPublicAddress(io, publicUrl))
    const problems = findings.filter(({ state }) => state === 'problem').length
    const warnings = findings.filter(({ state }) => state === 'warning').length
    output.result({ is_healthy: problems === 0, findings }, () => reportText(findings, problems, warnings, output))
    return problems > 0 ? exitCodes.different : exitCodes.ok
  },
})

async function checkService(io: Io, { url, origins, username, apiKey }: Connection): Promise<Finding[]> {
  const response = await call(io, `${url}/readyz`)
  if (response instanceof Error) {
    const message = `Nothing responds at ${url}: ${response.message}`
    // Without an address, that it runs here is only a guess.
    if (origins.url === 'default')
      return [warning('service', message, 'Start it with "doorstep start", or name another one with --url.')]
    return [problem('service', message, 'Check that it runs, and that nothing on the way blocks it.')]
  }
  const health = response.ok
    ? good('service', `The service at ${url} is ready.`)
    : problem(
        'service',
        `The service at ${url} responds with ${response.status}.`,
        'Look into its log: it cannot use its store.',
      )
  const clock = checkClock(io, response)
  return [health, ...(clock ? [clock] : []), ...(await checkCredentials(io, url, username, apiKey))]
}

function checkClock(io: Io, response: Response): Finding | undefined {
  const date = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(date)) return undefined
  const seconds = Math.round((io.now().getTime() - date) / 1_000)
  if (Math.abs(seconds) <= maxSkewSeconds)
    return good('service clock', 'The clocks of this machine and of the service agree.')
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  return problem(
    'service clock',
    `The clock of this machine is ${Math.abs(seconds)} seconds ${direction} that of the service.`,
    'Synchronise both clocks: signatures of webhooks and codes of a second factor depend on the time.',
  )
}

async function checkCredentials(io: Io, url: string, username?: string, apiKey?: string): Promise<Finding[]> {
  if (username === undefined || apiKey === undefined) return []
  const authorization = `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`
  const response = await call(io, `${url}/v1/session`, { authorization })
  if (response instanceof Error) return []
  if (response.ok) return [good('credentials', `The service accepts the key of ${username}.`)]
  return [
    problem(
      'credentials',
      `The service does not accept the key of ${username}.`,
      'Run "doorstep login" with a valid one.',
    ),
  ]
}

async function checkPublicAddress(io: Io, publicUrl: string): Promise<Finding> {
  const advice =
    'Check the DNS entry, the certificate and the proxy; from inside some networks it cannot be reached at all.'
  const response = await call(io, `${publicUrl}/healthz`)
  if (response instanceof Error)
    return problem('public address', `${publicUrl} cannot be reached: ${response.message}`, advice)
  const body: unknown = await response.json().catch(() => undefined)
  const isOurs = typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok'
  if (response.ok && isOurs) return good('public address', `${publicUrl} leads to a service.`)
  return problem(
    'public address',
    `${publicUrl} responds with ${response.status}, and not as the service does.`,
    advice,
  )
}

/** The response, or why there is none. */
async function call(io: Io, url: string, headers: Record<string, string> = {}): Promise<Response | Error> {
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(timeoutMs)])
  try {
    return await (io.fetch ?? globalThis.fetch)(new Request(url, { headers, signal, redirect: 'manual' }))
  } catch (error) {
    io.signal.throwIfAborted()
    const { cause, message } = error as Error
    return new Error(cause instanceof Error && cause.message !== '' ? cause.message : message)
  }
}

function reportText(findings: readonly Finding[], problems: number, warnings: number, output: Output): string {
  const { paint } = output
  const signs = { good: paint.green('ok'), warning: paint.yellow('!!'), problem: paint.red('XX') }
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, state, message, advice }) => [
    `${signs[state]}  ${check.padEnd(width)}  ${message}`,
    ...(advice === undefined ? [] : [`${' '.repeat(width + 6)}${paint.dim(advice)}`]),
  ])
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  const summary =
    problems + warnings === 0 ? 'Everything is fine.' : `${count(problems, 'problem')}, ${count(warnings, 'warning')}.`
  return [...lines, '', summary].join('\n')
}

function good(check: string, message: string): Finding {
  return { check, state: 'good', message }
}

function warning(check: string, message: string, advice: string): Finding {
  return { check, state: 'warning', message, advice }
}

function problem(check: string, message: string, advice: string): Finding {
  return { check, state: 'problem', message, advice }
}
