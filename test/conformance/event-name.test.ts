import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventKey, eventLabel } from '../../src/adapters/marketing/event-name.ts'

const catalogue = readFileSync(join(import.meta.dirname, '../../src/platform/catalogue/catalogue.csv'), 'utf8')
const groups = new Set(
  catalogue
    .split('\n')
    .slice(1)
    .flatMap((line) => line.split(',').slice(2, 4))
    .filter((group) => group !== ''),
)
const others = [
  'shipment_delivered_all_events',
  'shipment_at_risk',
  'shipment_internal_trigger',
  'claim_created',
  'claim_updated',
]
const all = [...groups, ...others]

describe('name of an event in a marketing system', () => {
  it('is short words that start with the subject, for every group', () => {
    expect(groups.size).toBeGreaterThan(20)
    for (const group of all) {
      expect(eventLabel(group)).toMatch(/^(Shipment|Return|Claim)( [A-Za-z]+){1,5}$/)
      expect(eventLabel(group).length).toBeLessThanOrEqual(40)
      expect(eventKey(group)).toMatch(/^[a-z]+(_[a-z]+)+$/)
    }
  })

  it('is different for every group', () => {
    expect(new Set(all.map(eventLabel)).size).toBe(all.length)
    expect(new Set(all.map(eventKey)).size).toBe(all.length)
  })

  it('is derived from the group if an automation defines it', () => {
    expect(eventLabel('vip_parcel-delayed')).toBe('Vip Parcel Delayed')
    expect(eventKey('vip_parcel-delayed')).toBe('vip_parcel_delayed')
    expect(eventLabel('constructor')).toBe('Constructor')
  })
})
