/** One thing that was looked at. */
export interface Finding {
  check: string
  state: 'good' | 'warning' | 'problem'
  message: string
  /** What to do about it. */
  advice?: string
}

export interface Examination {
  findings: Finding[]
  /** Where customers reach it; undefined if no address is set. */
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
