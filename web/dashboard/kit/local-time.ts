/** A moment as date-and-time fields write it, in the reader's own time zone. */
export function toLocalTime(time: string | null | undefined): string {
  if (!time) return ''
  const date = new Date(time)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The inverse. Undefined: not a time. */
export function fromLocalTime(text: string): string | undefined {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** The reader's time zone, such as Europe/Berlin. */
export function timeZoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
}
