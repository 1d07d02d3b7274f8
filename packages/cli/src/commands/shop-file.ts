import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ApiError, type Client } from 'doorstep-client'
import { command } from '../frame/command.ts'
import { CliError, explain, UsageError } from '../frame/errors.ts'
import { exitCodes } from '../frame/exit-codes.ts'
import type { Io } from '../frame/io.ts'
import type { Output } from '../frame/output.ts'
import { confirm, yesOption } from '../frame/prompt.ts'
import { type AppliedPlans, applyPlans, type Done } from '../shop-file/apply-plan.ts'
import { forEachAtOnce } from '../shop-file/concurrency.ts'
import type { DesiredShop } from '../shop-file/load.ts'
import type { ShopPlan } from '../shop-file/plan.ts'
import { planShop } from '../shop-file/plan-shop.ts'
import { changeJson, changeText, planJson, planText, summaryText } from '../shop-file/present-plan.ts'
import { ShopFileError, shown } from '../shop-file/problems.ts'
import { RemoteShop } from '../shop-file/remote-shop.ts'
import { ShopFileSchema } from '../shop-file/schema.ts'
import { Secrets } from '../shop-file/secrets.ts'
import { writeWholeFile } from '../shop-file/write-whole-file.ts'

const files = [
  {
    name: 'files',
    summary: 'the shop files, or folders of them',
    isOptional: true,
    isRepeatable: true,
  },
] as const

const defaultFile = 'shop.yaml'

const options = {
  delete: {
    type: 'boolean',
    summary: 'Also delete what a shop has and its file has not, in the sections that the file has',
  },
  'write-secrets': {
    type: 'boolean',
    summary: 'Also write credentials and values of headers that look unchanged: a shop shows little of them',
  },
  only: { type: 'string', value: 'SLUG', isRepeatable: true, summary: 'Only these shops of the files' },
  concurrency: { type: 'number', value: 'COUNT', summary: 'So many shops at a time', default: 4 },
} as const

const aboutFiles =
  'A shop file says what a shop should look like: profile, settings, integrations, discounts, campaigns, deals,\n' +
  'announcements, webhooks and automations. What it does not say stays as it is. "doorstep pull" writes the first one.\n' +
  `Without a name, it is ${defaultFile}. Secrets come from the environment: \${NAME}.`

export const plan = command({
  name: 'plan',
  summary: 'Show what "doorstep apply" would change',
  details: `${aboutFiles}\n\nExits with ${exitCodes.different} if something would change, so that a schedule notices changes made by hand.`,
  needs: 'service',
  arguments: files,
  options,
  examples: [
    { line: 'plan', says: `What differs between ${defaultFile} and the shop` },
    { line: 'plan shops/ --delete', says: 'Of all shops in a folder, with what would be deleted' },
    { line: 'plan --json', says: 'The same for scripts' },
  ],
  async run(call) {
    const { plans, secrets } = await makePlans(call)
    const { output } = call
    output.result(planJson(plans, secrets), () => planText(plans, secrets, output.paint))
    return plans.some(({ changes }) => changes.length > 0) ? exitCodes.different : exitCodes.ok
  },
})

export const apply = command({
  name: 'apply',
  summary: 'Make shops look as their files say',
  details: `${aboutFiles}\n\nShows the changes and asks before it makes them. It stops at the first error; run it again, and it continues.`,
  needs: 'service',
  arguments: files,
  options: {
    ...options,
    ...yesOption,
  },
  examples: [
    { line: 'apply', says: `Shows what ${defaultFile} changes, and asks` },
    { line: 'apply shops/ --yes', says: 'All shops of a folder, without a question: for a pipeline' },
    { line: 'apply --delete', says: 'Also deletes what the file does not have' },
  ],
  async run(call) {
    const { plans, secrets, remoteOf } = await makePlans(call)
    const { output, io, signal } = call
    const planned = plans.filter(({ steps }) => steps.length > 0)
    if (planned.length === 0) {
      output.result({ applied: [] }, summaryText(plans))
      return
    }
    output.note(planText(plans, secrets, output.paint))
    await confirm(io, 'Make these changes?', call.options.yes)
    const onDone = (done: Done) => output.note(output.paint.dim(`  done: ${secrets.redact(doneText(done))}`))
    const outcome = await applyPlans(planned, { concurrency: call.options.concurrency, remoteOf, signal, onDone })
    report(outcome, { plans: planned, secrets }, output, call.connection.url)
  },
})

export const pull = command({
  name: 'pull',
  summary: 'Write a shop as a file for "doorstep apply"',
  details:
    'Secrets are never written: comments name the environment variables to take them from.\n' +
    'Without --into, the file of one shop is printed.',
  needs: 'service',
  arguments: [{ name: 'shops', summary: 'the slugs of the shops', isOptional: true, isRepeatable: true }],
  options: {
    shop: { type: 'string', short: 's', value: 'SLUG', summary: 'The shop, if none is named; also DOORSTEP_SHOP' },
    all: { type: 'boolean', summary: 'Every shop that you can use' },
    into: { type: 'string', value: 'PATH', summary: 'A file, or a folder for a file per shop' },
    force: { type: 'boolean', summary: 'Replace files that exist' },
    concurrency: options.concurrency,
  },
  examples: [
    { line: 'pull river-and-pine > shop.yaml', says: 'One shop' },
    { line: 'pull --all --into shops', says: 'Every shop, as shops/<slug>.yaml' },
  ],
  async run({ client, connection, arguments: given, options: { all, into, force, concurrency }, output, signal }) {
    const slugs = all ? await listShops(client) : given.shops
    const [first = connection.shop, second] = slugs
    if (first === undefined) throw new UsageError('Name a shop, or --all.', '"doorstep shops list" shows them.')
    const named = slugs.length === 0 ? [first] : slugs
    if (second !== undefined && into === undefined) throw new UsageError('Name a folder with --into for several shops.')
    const isFolder = second !== undefined || all || (into !== undefined && isDirectory(into))
    const pathOf = (slug: string) => (into !== undefined && isFolder ? join(into, `${slug}.yaml`) : into)
    for (const path of named.map(pathOf)) {
      if (path !== undefined && !force && existsSync(path)) {
        throw new UsageError(`${path} exists already.`, 'Replace it with --force, or write elsewhere with --into.')
      }
    }
    if (into !== undefined && isFolder) mkdirSync(into, { recursive: true })
    const schema = ShopFileSchema.load()
    // The parser is loaded by the commands that need it, not with every command: it takes 70 ms.
    const { pullShop } = await import('../shop-file/pull-shop.ts')
    const written = await forEachAtOnce(named, concurrency, async (slug) => {
      const text = await pullShop(new RemoteShop(client, slug, signal), schema)
      const path = pathOf(slug)
      if (path === undefined) output.raw(text)
      else await writeWholeFile(path, [`# yaml-language-server: $schema=${schemaName}\n`, text])
      return { shop: slug, file: path }
    })
    if (into === undefined) return
    await writeWholeFile(join(isFolder ? into : dirname(into), schemaName), [schema.text])
    output.result(written, () => written.map(({ file }) => `Wrote ${file}`).join('\n'))
    output.note(`${schemaName} beside it lets editors complete and check the files.`)
  },
})

/** Written next to pulled files, whose first line tells editors to use it. */
const schemaName = 'shop-file.schema.json'

interface PlanCall {
  client: Client
  io: Io
  output: Output
  signal: AbortSignal
  arguments: { files: string[] }
  options: { delete: boolean; 'write-secrets': boolean; only: string[]; concurrency: number }
}

interface Plans {
  plans: ShopPlan[]
  secrets: Secrets
  remoteOf(shop: string): RemoteShop
}

/** Loads the files, reads the shops and compares them. Changes nothing. */
async function makePlans({ client, io, signal, arguments: { files }, options }: PlanCall): Promise<Plans> {
  const schema = ShopFileSchema.load()
  const secrets = new Secrets(io.env)
  const paths = files.length > 0 ? files : [defaultFile]
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined) {
    throw new UsageError(`There is no file ${missing}.`, 'Write one with "doorstep pull <shop> > shop.yaml".')
  }
  const remotes = new Map<string, RemoteShop>()
  const remoteOf = (shop: string) => {
    const known = remotes.get(shop) ?? new RemoteShop(client, shop, signal)
    remotes.set(shop, known)
    return known
  }
  const planning = { deletes: options.delete, writesSecrets: options['write-secrets'], now: io.now() }
  try {
    const { loadShops } = await import('../shop-file/load.ts')
    const shops = chosen(loadShops(paths, schema, secrets), options.only)
    const plans = await forEachAtOnce(shops, options.concurrency, (shop) =>
      planShop(remoteOf(shop.slug), shop, schema, planning).catch((error: unknown) => {
        throw explained(error, shop)
      }),
    )
    return { plans, secrets, remoteOf }
  } catch (error) {
    if (!(error instanceof ShopFileError)) throw error
    throw new ShopFileError(error.problems.map((each) => ({ ...each, message: secrets.redact(each.message) })))
  }
}

function chosen(shops: DesiredShop[], only: readonly string[]): DesiredShop[] {
  const absent = only.find((slug) => !shops.some((shop) => shop.slug === slug))
  if (absent !== undefined) throw new UsageError(`The shop ${absent} is in none of the files.`)
  return only.length === 0 ? shops : shops.filter(({ slug }) => only.includes(slug))
}

/** With many shops, it must say which one. */
function explained(error: unknown, { slug, place }: DesiredShop): unknown {
  if (!(error instanceof ApiError) || error.status === 0) return error
  const { message, hint, exit_code: exitCode } = explain(error)
  const errors = [{ path: shown(place), message: `the shop ${slug}` }]
  return new CliError(message, { exitCode, hint, errors }, { cause: error })
}

function report(
  outcome: AppliedPlans,
  { plans, secrets }: Pick<Plans, 'plans' | 'secrets'>,
  output: Output,
  url: string,
): void {
  const { done, failure } = outcome
  const applied = done.map(({ shop, change, note }) => ({ shop, ...changeJson(change, secrets), note: note ?? null }))
  const total = plans.reduce((sum, { steps }) => sum + steps.length, 0)
  if (!failure) {
    const shops = plans.length === 1 ? '' : ` in ${plans.length} shops`
    const count = new Set(done.map(({ change }) => change)).size
    output.result({ applied }, `Done: ${count} ${count === 1 ? 'change' : 'changes'}${shops}.`)
    return
  }
  output.result({ applied }, '')
  const { message, hint, exit_code: exitCode } = explain(failure.error, url)
  const about = `${failure.shop}: ${changeText(failure.change)}: ${message}`
  const state =
    done.length === 0
      ? 'Nothing was changed.'
      : `${done.length} of ${total} steps were done before, and stay. Run the same command again to continue.`
  throw new CliError(secrets.redact(about), {
    exitCode,
    hint: hint === undefined ? state : `${state}\n${hint}`,
    errors: failure.details.map((each) => ({ ...each, message: secrets.redact(each.message) })),
  })
}

function doneText({ shop, change, note }: Done): string {
  return `${shop}: ${changeText(change)}${note === undefined ? '' : ` (${note})`}`
}

async function listShops(client: Client): Promise<string[]> {
  const slugs: string[] = []
  for (let page = 1; ; page += 1) {
    const { items, hasNext } = await client.list('/v1/shops', { params: { query: { page, per_page: 100 } } })
    slugs.push(...items.map(({ slug }) => slug))
    if (!hasNext) return slugs
  }
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}
