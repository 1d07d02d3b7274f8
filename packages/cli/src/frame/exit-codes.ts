/** The exit codes of commands; scripts rely on them. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  notAllowed: 4,
  notFound: 5,
  rejected: 6,
  different: 7,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** As the help shows them. */
export const exitCodeTexts: Record<keyof typeof exitCodes, string> = {
  ok: 'it worked',
  failed: 'it failed for another reason than those below',
  usage: 'the command line is wrong',
  unreachable: 'the service cannot be reached, or is not ready',
  notAllowed: 'the credentials are wrong, or their role may not do this',
  notFound: 'there is no such shop, parcel or other record',
  rejected: 'the service rejected what was sent; the message says what is wrong with it',
  different: 'a check found differences or problems',
  interrupted: 'interrupted with Ctrl+C before it was done',
}
