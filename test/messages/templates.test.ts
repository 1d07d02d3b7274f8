import { describe, expect, it } from 'vitest'
import { findMailGroup } from '../../src/messages/customer-mail/groups.ts'
import type { MailTemplate } from '../../src/messages/customer-mail/view.ts'
import { blocksOf, problemsOf, requiredBlocksOf, textLimits, variablesOf } from '../../src/messages/templates/rules.ts'

function groupOf(name: string) {
  const group = findMailGroup(name)
  if (group === undefined) throw new Error(`there is no message for ${name}`)
  return group
}

const template: MailTemplate = {
  subject: null,
  preheader: null,
  heading: null,
  introduction: null,
  footer: null,
  blocks: null,
}
const problems = (fields: Partial<MailTemplate>, group = 'shipment_delivered') =>
  problemsOf(groupOf(group), { ...template, ...fields }, ['body', 'de']).map(
    ({ loc, msg }) => `${loc.join('.')}: ${msg}`,
  )

describe('template of a message', () => {
  it('has nothing wrong if it is empty, or says what it may', () => {
    expect(problems({})).toEqual([])
    expect(
      problems({
        subject: 'Hello {first_name}, {order_number} by {carrier} {tracking_number}',
        introduction: 'One line\nand\tanother, from {shop_name}',
        footer: '😀'.repeat(textLimits.footer),
      }),
    ).toEqual([])
  })

  it.each<[problem: string, fields: Partial<MailTemplate>]>([
    ['body.de.subject: must not be blank', { subject: ' \n' }],
    ['body.de.heading: must not have more than 150 characters. It has 151.', { heading: 'x'.repeat(151) }],
    ['body.de.subject: must be one line', { subject: 'Hello\nBcc: x@example.com' }],
    ['body.de.subject: must be one line', { subject: 'Hello\rBcc: x@example.com' }],
    ['body.de.preheader: must be one line', { preheader: 'Hello\u2028you' }],
    ['body.de.subject: must not contain control characters', { subject: 'Hello\u0000' }],
    ['body.de.subject: must not contain control characters', { subject: 'Hello\tyou' }],
    ['body.de.introduction: must not contain control characters', { introduction: 'Hello\u0007' }],
    ['body.de.introduction: must not contain control characters', { introduction: 'Hello\r\nyou' }],
    ['body.de.subject: has a { without a }', { subject: 'Hello {first_name' }],
    ['body.de.subject: has a } without a {', { subject: 'Hello first_name}' }],
    ['body.de.subject: has a } without a {', { subject: 'Hello } {first_name}' }],
    ['body.de.subject: has a { inside of braces', { subject: 'Hello {{first_name}}' }],
    ['body.de.subject: {firstname} is not a variable. Did you mean {first_name}?', { subject: '{firstname}' }],
    ['body.de.subject: {First Name} is not a variable. Did you mean {first_name}?', { subject: '{First Name}' }],
    ['body.de.subject: {zzzzzz} is not a variable. This message has {first_name}', { subject: '{zzzzzz}' }],
    ['body.de.subject: {} is not a variable', { subject: 'Hello {}' }],
    [`body.de.subject: {${'z'.repeat(40)}…} is not a variable`, { subject: `{${'z'.repeat(60)}}` }],
  ])('is rejected: %s', (problem, fields) => {
    expect(problems(fields)).toEqual([expect.stringContaining(problem)])
  })

  it('is told every problem at once, each at its field', () => {
    const found = problems({ subject: '', heading: '{', blocks: ['claim'] })
    expect(found.map((each) => each.split(':')[0])).toEqual(['body.de.subject', 'body.de.heading', 'body.de.blocks.0'])
  })

  it('knows the variables of its message only', () => {
    expect(problems({ subject: '{tracking_number}' }, 'shipment_order_cancelled')).toEqual([
      expect.stringContaining('{tracking_number} is not known in this message. It has {first_name}'),
    ])
    expect(problems({ subject: '{tracking_number}' }, 'claim_created')).toEqual([])
    expect(problems({ subject: '{expected_date} {pickup_name} {pickup_until}' })).toEqual([])
    expect(problems({ subject: '{expected_date}' }, 'claim_created')).toHaveLength(1)
    expect(variablesOf(groupOf('withdrawal_received'))).toEqual([
      'first_name',
      'full_name',
      'shop_name',
      'order_number',
    ])
  })
})

describe('blocks of a message', () => {
  it('promote nothing beside bad news', () => {
    expect(blocksOf(groupOf('shipment_delivered'))).toEqual(expect.arrayContaining(['campaign', 'deals']))
    for (const group of ['shipment_delivery_failed', 'shipment_carrier_delay', 'claim_created']) {
      for (const block of ['campaign', 'deals']) expect(blocksOf(groupOf(group))).not.toContain(block)
    }
    expect(problems({ blocks: ['status', 'campaign'] }, 'shipment_delivery_failed')).toEqual([
      expect.stringContaining('body.de.blocks.1: campaign is not a block of this message'),
    ])
  })

  it('may be in another order, and each once', () => {
    const blocks = blocksOf(groupOf('shipment_delivered'))
    expect(problems({ blocks: blocks.toReversed() })).toEqual([])
    expect(problems({ blocks: [] })).toEqual([])
    expect(problems({ blocks: ['status', 'help', 'status'] })).toEqual([
      expect.stringContaining('body.de.blocks.2: status is listed twice'),
    ])
  })

  it('of a receipt have what was received', () => {
    expect(requiredBlocksOf(groupOf('withdrawal_received'))).toEqual(['claim'])
    expect(requiredBlocksOf(groupOf('claim_created'))).toEqual([])
    expect(problems({ blocks: ['help'] }, 'withdrawal_received')).toEqual([
      expect.stringContaining('body.de.blocks: must contain claim'),
    ])
    expect(problems({}, 'withdrawal_received')).toEqual([])
  })
})
