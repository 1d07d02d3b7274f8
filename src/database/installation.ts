import type { Context } from '../foundation/context.ts'

/** Writes a fact about the installation unless there is one, and returns the stored value. A transaction locks it. */
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
