import { ApiError } from 'doorstep-client'
import { type ExitCode, exitCodes } from './exit-codes.ts'

/** An error that the user gets as a sentence, without a stack trace. */
export class CliError extends Error {
  readonly exitCode: ExitCode
  /** Advice, on lines of its own. */
  readonly hint: string | undefined
  /** The mistakes in a file, with their places. */
  readonly errors: Explanation['errors']

  constructor(
    message: string,
    detail: { exitCode?: ExitCode; hint?: string; errors?: Explanation['errors'] } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'CliError'
    this.exitCode = detail.exitCode ?? exitCodes.failed
    this.hint = detail.hint
    this.errors = detail.errors ?? []
  }
}

/** The command line is wrong. */
export class UsageError extends CliError {
  constructor(message: string, hint?: string) {
    super(message, { exitCode: exitCodes.usage, hint })
    this.name = 'UsageError'
  }
}

/** The printed form of an error; with --json, as it is. */
export interface Explanation {
  key: string
  message: string
  hint: string | undefined
  /** The mistakes in the request, with their places. */
  errors: { path: string; message: string }[]
  request_id: string | undefined
  exit_code: ExitCode
}

export function explain(error: unknown, url?: string): Explanation {
  if (error instanceof ApiError) return explainApiError(error, url)
  if (error instanceof CliError) {
    const key = error instanceof UsageError ? 'usage' : 'failed'
    return { ...plain(key, error.message, error.exitCode), hint: error.hint, errors: error.errors }
  }
  if (isAbort(error)) return plain('interrupted', 'Interrupted.', exitCodes.interrupted)
  const { message, syscall } = error as NodeJS.ErrnoException
  // A missing file or a folder that cannot be written: the system's message names it.
  if (syscall !== undefined) return plain('failed', message, exitCodes.failed)
  return {
    ...plain('unexpected', `This should not happen: ${message ?? String(error)}`, exitCodes.failed),
    hint: 'Run it again with --debug to see where it comes from, and report it.',
  }
}

function explainApiError(error: ApiError, url: string | undefined): Explanation {
  const { key, status, message, errors, requestId } = error
  return {
    key,
    message: status === 0 && url !== undefined ? `There is no service at ${url}.` : message,
    hint: hintFor(status, key),
    errors: errors.map((problem) => ({ path: pathOf(problem.loc), message: problem.msg })),
    request_id: requestId,
    exit_code: exitCodeOf(status),
  }
}

function exitCodeOf(status: number): ExitCode {
  if (status === 0 || status === 502 || status === 503 || status === 504) return exitCodes.unreachable
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404) return exitCodes.notFound
  return status < 500 && status !== 429 ? exitCodes.rejected : exitCodes.failed
}

function hintFor(status: number, key: string): string | undefined {
  if (status === 0) return 'Start one with "doorstep start", or name another one with --url or DOORSTEP_URL.'
  if (status === 401) return 'Check DOORSTEP_USERNAME and DOORSTEP_API_KEY, or run "doorstep login".'
  if (status === 403) return 'Use the key of a role that may do this: "doorstep keys list" shows the roles.'
  if (status === 404 && key.includes('shop')) return '"doorstep shops list" shows the shops that you can use.'
  return undefined
}

/** `['body', 'products', 0, 'price']` as `body.products[0].price`. */
function pathOf(location: readonly (string | number)[]): string {
  return location.reduce<string>((path, part) => {
    if (typeof part === 'number') return `${path}[${part}]`
    return path === '' ? part : `${path}.${part}`
  }, '')
}

function plain(key: string, message: string, exitCode: ExitCode): Explanation {
  return { key, message, hint: undefined, errors: [], request_id: undefined, exit_code: exitCode }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
