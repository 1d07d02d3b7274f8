import { t } from '../../texts/texts.ts'
import type { Problems } from './use-editor.ts'

/** Collects problems: the first one of each field counts. */
export class Checks {
  readonly problems: Problems = {}

  required(field: string, value: string): void {
    if (value.trim() === '') this.add(field, t('check.required'))
  }

  length(field: string, value: string | null | undefined, max: number): void {
    if ((value ?? '').length > max) this.add(field, t('check.too_long', { max }))
  }

  /** An address that browsers open. */
  address(field: string, value: string | null | undefined, isRequired = false): void {
    if (!value) {
      if (isRequired) this.add(field, t('check.required'))
    } else if (!/^https?:\/\/[^\s/]/i.test(value) || !URL.canParse(value) || value.length > 2_048) {
      this.add(field, t('check.address'))
    }
  }

  /** A number as it is typed; empty: none. */
  number(field: string, value: string, { min, max }: { min: number; max: number }): void {
    if (value === '') return
    const number = Number(value)
    if (!Number.isFinite(number)) this.add(field, t('check.number'))
    else if (number < min || number > max) this.add(field, t('check.between', { min, max }))
  }

  add(field: string, words: string): void {
    this.problems[field] ??= words
  }
}
