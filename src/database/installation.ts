import type { Context } from '../foundation/context.ts'

/** Writes a fact about the installation unless it is known, and answers what holds. A transaction has it to itself. */
export async function claimFact(
  context: Pick<Context, 'db'>,
  name: string,
  value: string,
): Promise<{ value: string; isNew: boolean }> {
  const inserted = await context.db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('value')
    .executeTakeFirst()
  if (inserted) return { value, isNew: true }
  const known = await context.db
    .selectFrom('installation')
    .where('name', '=', name)
    .select('value')
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { value: known.value, isNew: false }
}
