import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { preventionReason, type Rule, RuleSet } from '../../src/automations/rules.ts'
import type { Facts } from '../../src/delivery/receivers/condition-set.ts'
import { type Condition, operators } from '../../src/delivery/receivers/conditions.ts'
import { CaseCounter } from '../harness/cases.ts'

const facts: Facts = {
  event_data: {
    event_name: 'OUT_FOR_DELIVERY',
    updated_at: '2026-11-05T10:00:00.000Z',
    expected_delivery_date: '06.11.2026',
    number_of_shipments: 2,
    description: null,
    other_tracking_numbers: ['A1', 'B2'],
  },
  context: {
    order: {
      total_order_price: 94.85,
      segments: ['vip', 'newsletter'],
      weight: null,
      products: [
        { sku: 'RJ-42', price: 89.9, images: [{ src: 'a.jpg' }, { src: 'b.jpg' }] },
        { sku: 'SO-1', price: 4.95, images: [] },
        { title: 'gift' },
      ],
    },
    claims: [],
    shipments: [{ is_return: false }],
  },
}

function ruleOf(automationId: string, conditions: Condition[], filter = '*'): Rule {
  return { automationId, filters: new Set([filter]), conditions, delayMinutes: 0, actions: [] }
}

/** Evaluates a single condition. */
const compileCondition = (condition: Condition) => (facts: Facts) =>
  new RuleSet([ruleOf('one', [condition])]).findMatching('shipments', facts).length === 1

const holds = (field: string, operator: Condition['operator'], value?: Condition['value']) =>
  compileCondition({ field, operator, ...(value === undefined ? {} : { value }) })(facts)

describe('condition', () => {
  it.each([
    ['event_data.event_name', 'eq', 'OUT_FOR_DELIVERY', true],
    ['event_data.event_name', 'eq', 'out_for_delivery', false],
    ['event_data.event_name', 'neq', 'DELIVERED', true],
    ['event_data.number_of_shipments', 'eq', 2, true],
    ['event_data.number_of_shipments', 'eq', '2', false],
    ['event_data.event_name', 'in', ['DELIVERED', 'OUT_FOR_DELIVERY'], true],
    ['event_data.event_name', 'not_in', ['DELIVERED'], true],
    ['event_data.event_name', 'not_in', ['OUT_FOR_DELIVERY'], false],
    ['context.order.total_order_price', 'gt', 94.84, true],
    ['context.order.total_order_price', 'gt', 94.85, false],
    ['context.order.total_order_price', 'gte', 94.85, true],
    ['context.order.total_order_price', 'lt', 100, true],
    ['context.order.total_order_price', 'lte', 94.84, false],
    ['event_data.updated_at', 'gt', '2026-11-05T10:30:00+01:00', true],
    ['event_data.updated_at', 'lt', '2026-11-05', false],
    ['event_data.updated_at', 'gte', '2026-11-05', true],
    ['event_data.updated_at', 'gt', 5, false],
    ['event_data.expected_delivery_date', 'gt', '2020-01-01', false],
    ['event_data.event_name', 'contains', 'DELIVERY', true],
    ['event_data.event_name', 'contains', 'delivery', false],
    ['event_data.number_of_shipments', 'contains', 2, false],
    ['context.order.segments', 'contains', 'vip', true],
    ['context.order.segments', 'contains', 'vi', false],
    ['context.order.segments', 'eq', 'vip', true],
    ['context.order.segments', 'neq', 'vip', false],
    ['context.order.segments', 'in', ['gold', 'newsletter'], true],
    ['context.order.segments', 'not_in', ['gold'], true],
    ['context.order.products.sku', 'contains', 'SO-1', true],
    ['context.order.products.price', 'gt', 50, true],
    ['context.order.products.price', 'gt', 90, false],
    ['context.order.products.images.src', 'contains', 'b.jpg', true],
    ['context.order.products.0.sku', 'eq', 'RJ-42', true],
    ['context.order.products.1.sku', 'eq', 'RJ-42', false],
    ['context.order.products.9.sku', 'exists', false, true],
    ['context.shipments.is_return', 'eq', false, true],
    ['context.claims', 'exists', true, false],
    ['context.claims.reason', 'exists', false, true],
    ['event_data.description', 'exists', undefined, false],
    ['event_data.event_name', 'exists', undefined, true],
  ] as const)('%s %s %j is %j', (field, operator, value, isHeld) => {
    expect(holds(field, operator, value as Condition['value'])).toBe(isHeld)
  })

  it.each(['event_data.absent', 'event_data.description', 'context.order.weight', 'context.order.segments.x.y'])(
    'about %s, which is missing, is true only if it is negated',
    (field) => {
      expect(holds(field, 'eq', 'x')).toBe(false)
      expect(holds(field, 'neq', 'x')).toBe(true)
      expect(holds(field, 'in', ['x'])).toBe(false)
      expect(holds(field, 'not_in', ['x'])).toBe(true)
      for (const operator of ['gt', 'gte', 'lt', 'lte'] as const) expect(holds(field, operator, 0)).toBe(false)
      expect(holds(field, 'contains', 'x')).toBe(false)
      expect(holds(field, 'exists', true)).toBe(false)
      expect(holds(field, 'exists', false)).toBe(true)
    },
  )

  it('sees only own properties of the payload', () => {
    for (const name of ['constructor', '__proto__', 'toString', '__proto__.toString']) {
      expect(holds(`context.order.${name}`, 'exists', true)).toBe(false)
    }
  })

  it('and its opposite never agree, whatever the payload', () => {
    /** From a small set half of the time: two random values are hardly ever equal. */
    const common = fc.constantFrom('', 'a', 'A', '1', 0, 1, true, false)
    const wanted = fc.oneof(common, fc.string(), fc.integer(), fc.boolean())
    const payload = fc.oneof(common, fc.array(common), fc.constantFrom(null, undefined), fc.jsonValue())
    const examples: [given: fc.JsonValue | undefined, value: string | number | boolean][] = [
      ['a', 'a'],
      [['b', 'a'], 'a'],
      [[], 'a'],
      [[null, 'a'], 'a'],
      ['1', 1],
      [0, false],
      [null, false],
      [undefined, ''],
      ['', ''],
    ]
    const cases = new CaseCounter<[given: unknown, value: unknown]>({
      'equal values': ([given, value]) => given === value,
      'a list that has the value': ([given, value]) => Array.isArray(given) && given.includes(value),
      'a list that does not have it': ([given, value]) => Array.isArray(given) && !given.includes(value),
      'an empty list': ([given]) => Array.isArray(given) && given.length === 0,
      nothing: ([given]) => given === undefined || given === null,
      'the same text of another type': ([given, value]) =>
        typeof given === 'string' && given !== value && given === String(value),
    })
    fc.assert(
      fc.property(payload, wanted, (given, value) => {
        cases.count([given, value])
        const some: Facts = { event_data: { x: given }, context: {} }
        const test = (operator: Condition['operator'], wanted: Condition['value']) =>
          compileCondition({ field: 'event_data.x', operator, value: wanted as string })(some)
        expect(test('neq', value)).toBe(!test('eq', value))
        expect(test('not_in', [value])).toBe(!test('in', [value]))
        expect(test('eq', value)).toBe(test('in', [value]))
        expect(test('exists', true)).toBe(!test('exists', false))
        expect(test('eq', value)).toBe(Array.isArray(given) ? given.includes(value) : given === value)
      }),
      { examples },
    )
    cases.expectEach()
  })

  it('orders numbers as numbers', () => {
    const finite = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(-1, 0, 1, 9, 10, 94.85, 94.86),
    )
    const cases = new CaseCounter<[left: number, right: number]>({
      'equal numbers': ([left, right]) => left === right,
      'a greater one': ([left, right]) => left > right,
      'a smaller one': ([left, right]) => left < right,
      'numbers whose texts have the opposite order': ([left, right]) => left > right && String(left) < String(right),
    })
    fc.assert(
      fc.property(finite, finite, (left, right) => {
        cases.count([left, right])
        const some: Facts = { event_data: { x: left }, context: {} }
        const test = (operator: Condition['operator']) =>
          compileCondition({ field: 'event_data.x', operator, value: right })(some)
        expect([test('gt'), test('gte'), test('lt'), test('lte')]).toEqual([
          left > right,
          left >= right,
          left < right,
          left <= right,
        ])
      }),
      {
        examples: [
          [94.85, 94.85],
          [10, 9],
          [9, 10],
          [0, -0],
        ],
      },
    )
    cases.expectEach()
  })

  it('never fails, whatever it is evaluated on', () => {
    const path = fc.array(fc.stringMatching(/^[A-Za-z0-9_-]{1,5}$/), { minLength: 1, maxLength: 4 })
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.array(fc.string()))
    const nested: Record<string, unknown> = { a: [{ b: [1, null, { c: 'x' }] }, 'text'], b: null, c: { a: true } }
    const cases = new CaseCounter<{ operator: string; given: unknown }>(
      Object.fromEntries(
        operators.map((name) => [
          name,
          ({ operator, given }: { operator: string; given: unknown }) => operator === name && given === nested,
        ]),
      ),
    )
    const examples = operators.flatMap(
      (
        operator,
      ): [
        given: Record<string, unknown>,
        names: string[],
        operator: Condition['operator'],
        wanted: string | string[],
      ][] => [
        [nested, ['a', 'b', 'c'], operator, 'x'],
        [nested, ['a', '0', 'b', '1'], operator, ['x']],
        [nested, ['b', 'c'], operator, 'x'],
        [nested, ['constructor'], operator, 'x'],
      ],
    )
    fc.assert(
      fc.property(fc.object(), path, fc.constantFrom(...operators), value, (given, names, operator, wanted) => {
        cases.count({ operator, given })
        const test = compileCondition({ field: ['context', ...names].join('.'), operator, value: wanted })
        expect(typeof test({ event_data: {}, context: given })).toBe('boolean')
      }),
      { numRuns: 100 + examples.length, examples },
    )
    cases.expectEach(4)
  })
})

describe('loop', () => {
  it('is detected if the same automation led to the event, or five others did', () => {
    expect(preventionReason('a', [])).toBeUndefined()
    expect(preventionReason('a', ['b', 'c', 'd', 'e'])).toBeUndefined()
    expect(preventionReason('a', ['b', 'a'])).toBe('an automation does not run itself')
    expect(preventionReason('a', ['b', 'c', 'd', 'e', 'f'])).toContain('5 automations')
  })
})

describe('rules that are evaluated together', () => {
  const condition = fc.record({
    field: fc.constantFrom(
      'event_data.event_name',
      'event_data.description',
      'context.order.segments',
      'context.order.products.sku',
      'context.order.total_order_price',
    ),
    operator: fc.constantFrom('eq' as const, 'neq' as const, 'contains' as const, 'gt' as const, 'exists' as const),
    value: fc.constantFrom<string | number | boolean>('OUT_FOR_DELIVERY', 'vip', 'RJ-42', 50, true, false),
  })
  const filter = fc.constantFrom('*', 'shipments', 'shipments/in_delivery', 'shipments/delivered', 'claims')

  it('have the same results as alone, in their order', () => {
    const listed = fc.array(fc.tuple(filter, fc.array(condition, { maxLength: 4 })), { maxLength: 20 })
    type Listed = typeof listed extends fc.Arbitrary<infer Value> ? Value : never
    const vip = { field: 'context.order.segments', operator: 'eq', value: 'vip' } as const
    const dear = { field: 'context.order.total_order_price', operator: 'gt', value: 50 } as const
    const never = { field: 'event_data.description', operator: 'exists', value: true } as const
    const examples: [given: Listed][] = [
      [
        [
          ['shipments', [vip, dear]],
          ['*', [vip, never]],
          ['shipments/in_delivery', [dear]],
          ['shipments/delivered', [dear]],
          ['claims', []],
          ['shipments', []],
        ],
      ],
    ]
    const cases = new CaseCounter<{ matching: number; rules: number; isShared: boolean }>({
      'several rules that match': ({ matching }) => matching > 1,
      'rules of which only some match': ({ matching, rules }) => matching > 0 && matching < rules,
      'rules that share a condition': ({ isShared, matching }) => isShared && matching > 0,
      'no rule': ({ rules }) => rules === 0,
    })
    fc.assert(
      fc.property(listed, (given) => {
        const rules = given.map(([filter, conditions], index) => ruleOf(String(index), conditions, filter))
        const ref = 'shipments/in_delivery/OUT_FOR_DELIVERY'
        const together = new RuleSet(rules).findMatching(ref, facts)
        const shared = given.flatMap(([, conditions]) => conditions.map((each) => JSON.stringify(each)))
        cases.count({ matching: together.length, rules: rules.length, isShared: new Set(shared).size < shared.length })
        const alone = rules.filter((rule) => new RuleSet([rule]).findMatching(ref, facts).length === 1)
        expect(together).toEqual(alone)
        // Without conditions, only the trigger decides.
        for (const rule of rules) {
          const listens = [...rule.filters].some((filter) => filter === '*' || ref.startsWith(filter))
          expect(new RuleSet([rule]).hasTriggerFor(ref)).toBe(listens)
        }
      }),
      { examples: [...examples, [[]]] },
    )
    cases.expectEach()
  })

  it('share no state between events', () => {
    const rules = new RuleSet([ruleOf('one', [{ field: 'event_data.x', operator: 'eq', value: 1 }])])
    const asked = [1, 2, undefined, 1].map(
      (x) => rules.findMatching('claims', { event_data: { x }, context: {} }).length,
    )
    expect(asked).toEqual([1, 0, 0, 1])
  })
})
