import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { recordChange } from '../../shops/audit-log/record.ts'
import { mailPasswordWarning } from '../people/mail-warning.ts'
import { findPersonRecord, type PersonRow, putPasswordWarning } from '../people/store.ts'
import { isSuspicious, networkHere, wasWarned } from './limits.ts'

/**
 * After a wrong code to the right password, from a network where the owner of the account has not signed in. From the third
 * one within a day on, the owner sees a warning. Once a day it is also sent to them, and an entry of the audit log.
 */
export async function warnOfWrongCode(context: Context, person: PersonRow): Promise<void> {
  if (!(await isSuspicious(context, person.id))) return
  const network = networkHere(context)
  await inTransaction(context, async (context) => {
    if (!(await putPasswordWarning(context, person, network))) return
    if (await wasWarned(context, person.id)) return
    const record = await findPersonRecord(context, person.id)
    if (record === undefined) return
    // Without the network: only the owner sees from where.
    await recordChange(context, {
      shopId: null,
      action: 'warnOfPassword',
      area: 'Sign-in',
      kind: 'person',
      id: person.id,
      name: person.name || person.email,
      changes: {},
    })
    await mailPasswordWarning(context, record, { at: context.now, network })
  })
}
