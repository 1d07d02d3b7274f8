/** The result of one check. */
export interface Finding {
  check: string
  state: 'good' | 'warning' | 'problem'
  message: string
  /** The remedy. */
  advice?: string
}

export interface Examination {
  findings: Finding[]
  /** The address that customers reach it at; undefined if none is set. */
  publicUrl: string | undefined
}

export function good(check: string, message: string): Finding {
  return { check, state: 'good', message }
}

export function warning(check: string, message: string, advice: string): Finding {
  return { check, state: 'warning', message, advice }
}

export function problem(check: string, message: string, advice: string): Finding {
  return { check, state: 'problem', message, advice }
}
