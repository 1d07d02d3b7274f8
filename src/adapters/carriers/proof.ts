import type { ReportedProof } from './provider.ts'

/** The known fields of a proof of delivery, or undefined if there are none. */
export function proofFrom(
  fields: { [Name in keyof ReportedProof]: ReportedProof[Name] | undefined },
): ReportedProof | undefined {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined)
  // Only fields without a value were removed.
  return known.length === 0 ? undefined : (Object.fromEntries(known) as ReportedProof)
}
