import type { Problem } from '../../platform/foundation/errors.ts'
import { nearest } from '../../platform/foundation/nearest.ts'
import { findMailGroup, type MailGroup } from '../customer-mail/groups.ts'
import { type MailBlock, type MailTemplate, type MailVariable, mailVariables } from '../customer-mail/view.ts'

/** The texts of a template, with how long each may be. */
export const textLimits = { subject: 200, preheader: 200, heading: 150, introduction: 2_000, footer: 1_000 } as const
type TextField = keyof typeof textLimits
const textFields = Object.keys(textLimits) as TextField[] // of the record above

/** Texts that may have several lines. */
const multiline: readonly TextField[] = ['introduction', 'footer']

const everywhere: readonly MailVariable[] = ['first_name', 'full_name', 'shop_name', 'order_number']
const ofParcels: readonly MailVariable[] = ['tracking_number', 'carrier']

/** The variables that a message can fill in. */
export function variablesOf({ about, blocks }: MailGroup): MailVariable[] {
  return [
    ...everywhere,
    ...(about === 'order' || about === 'withdrawal' ? [] : ofParcels),
    ...(blocks.includes('window') ? (['expected_date'] as const) : []),
    ...(blocks.includes('pickup') ? (['pickup_name', 'pickup_until'] as const) : []),
  ]
}

const promotional: readonly MailBlock[] = ['campaign', 'deals']

/** The blocks that a message can show, in our order. */
export function blocksOf({ blocks, mayPromote }: MailGroup): MailBlock[] {
  return blocks.filter((block) => mayPromote || !promotional.includes(block))
}

/** The blocks that cannot be hidden: a receipt states what was received. */
export function requiredBlocksOf({ about }: MailGroup): MailBlock[] {
  return about === 'withdrawal' ? ['claim'] : []
}

/** Everything that is wrong with a template, each problem at its field. `at` is where the template is in the request. */
export function problemsOf(group: MailGroup, template: MailTemplate, at: readonly string[]): Problem[] {
  const problems: Problem[] = []
  const add = (place: (string | number)[], msg: string) =>
    problems.push({ loc: [...at, ...place], msg, type: 'value_error' })
  for (const field of textFields) {
    const text = template[field]
    const msg = text === null ? undefined : problemOfText(group, field, text)
    if (msg !== undefined) add([field], msg)
  }
  for (const [place, msg] of problemsOfBlocks(group, template.blocks ?? blocksOf(group))) add(['blocks', ...place], msg)
  return problems
}

function problemOfText(group: MailGroup, field: TextField, text: string): string | undefined {
  if (text.trim() === '') return 'must not be blank. Leave it out to use our text.'
  const length = [...text].length
  const limit = textLimits[field]
  if (length > limit) return `must not have more than ${limit} characters. It has ${length}.`
  return problemOfCharacters(field, text) ?? problemOfVariables(group, text)
}

// A line break in a subject would begin another header of the message.
function problemOfCharacters(field: TextField, text: string): string | undefined {
  if (multiline.includes(field)) {
    return /[^\P{Cc}\n\t]/u.test(text) ? 'must not contain control characters.' : undefined
  }
  if (/[\r\n\u2028\u2029]/u.test(text)) return 'must be one line, without line breaks.'
  return /\p{Cc}/u.test(text) ? 'must not contain control characters.' : undefined
}

function problemOfVariables(group: MailGroup, text: string): string | undefined {
  const known = variablesOf(group)
  let rest = text
  for (;;) {
    const opening = rest.indexOf('{')
    const closing = rest.indexOf('}')
    if (opening === -1 && closing === -1) return undefined
    if (closing === -1) return 'has a { without a }. Write variables as {first_name}.'
    if (opening === -1 || closing < opening) return 'has a } without a {. Write variables as {first_name}.'
    const name = rest.slice(opening + 1, closing)
    if (name.includes('{')) return 'has a { inside of braces. Write variables as {first_name}.'
    const problem = problemOfVariable(name, known)
    if (problem !== undefined) return problem
    rest = rest.slice(closing + 1)
  }
}

function problemOfVariable(name: string, known: readonly MailVariable[]): string | undefined {
  if (known.some((variable) => variable === name)) return undefined
  const list = `It has ${known.map(inBraces).join(', ')}.`
  if (mailVariables.some((variable) => variable === name))
    return `${inBraces(name)} is not known in this message. ${list}`
  const guess = nearest(
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
    known,
  )
  const advice = guess === undefined ? list.replace('It has', 'This message has') : `Did you mean ${inBraces(guess)}?`
  return `${inBraces(shortened(name))} is not a variable. ${advice}`
}

function inBraces(name: string): string {
  return `{${name}}`
}

function shortened(name: string): string {
  const characters = [...name]
  return characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : name
}

function* problemsOfBlocks(group: MailGroup, blocks: readonly MailBlock[]): Generator<[(string | number)[], string]> {
  const allowed = blocksOf(group)
  for (const [index, block] of blocks.entries()) {
    if (!allowed.includes(block))
      yield [[index], `${block} is not a block of this message. It has ${allowed.join(', ')}.`]
    else if (blocks.indexOf(block) < index) yield [[index], `${block} is listed twice.`]
  }
  for (const block of requiredBlocksOf(group)) {
    if (!blocks.includes(block)) yield [[], `must contain ${block}: it is what this message is for.`]
  }
}

/** The group of a name that a schema has accepted. */
export function getGroup(name: string): MailGroup {
  const group = findMailGroup(name)
  if (group === undefined) throw new Error(`the schema allows the group ${name}, which does not exist`)
  return group
}
