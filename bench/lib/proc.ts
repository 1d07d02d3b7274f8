import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** A process of the service and those that share its port; not the compiler that runs beside it on an older Node. */
export function processTree(pid: number): number[] {
  const children = readText(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)
  return [pid, ...children.filter((child) => readText(`/proc/${child}/cmdline`).includes('doorstep.js'))]
}

/** Its resident memory; undefined if it has ended. */
export function residentMb(pid: number): number | undefined {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
}

/** In user and kernel mode; the kernel counts in hundredths of a second. */
export function cpuSeconds(pid: number): number {
  const fields = readText(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

/** The server processes of connections to one database of PostgreSQL on this machine. */
export function backendsOf(database: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (pid) =>
        readText(`/proc/${pid}/cmdline`)
          .replaceAll('\0', ' ')
          .match(/^postgres: .* (\S+) \S+\(\d+\)/)?.[1] === database,
    )
    .map(Number)
}

/** From now on, `peakMbOf` starts from the present. */
export function clearPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // It has ended.
  }
}

/** The most memory that it had. */
export function peakMbOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024
}

/** Empty if the process has ended. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
