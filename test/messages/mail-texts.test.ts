import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mailVariables } from '../../src/messages/customer-mail/view.ts'
import { eventNames, getMeaning, groupOf } from '../../src/platform/catalogue/catalogue.ts'
import { type Language, languages, languageTag } from '../../src/platform/foundation/languages.ts'

const folder = new URL('../../src/messages/rendering/texts/', import.meta.url)
const read = (language: Language): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'))
const english = read('en')
const translated = languages.filter((language) => existsSync(new URL(`${language}.json`, folder)))

const groups = [
  ...new Set([
    ...eventNames.flatMap((name) =>
      ['merchant_customer', 'customer_merchant'].flatMap((direction) => groupOf(getMeaning(name), direction) ?? []),
    ),
    'shipment_delivered_all_events',
    'shipment_at_risk',
    'shipment_internal_trigger',
    'claim_created',
    'claim_updated',
    'withdrawal_received',
    // Said of a group that has no words of its own.
    'other',
  ]),
]

const plural = /\.(zero|one|two|few|many|other)$/
const counted = Object.keys(english).filter((key) => key.endsWith('.other') && `${key.slice(0, -6)}.one` in english)
const pluralKeys = (key: string, language: Language) =>
  new Intl.PluralRules(languageTag(language))
    .resolvedOptions()
    .pluralCategories.map((category) => key.replace(/other$/, category))

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort()
/** A form for exactly one may omit the number, and a language that inflects names may omit the name. */
const isOptional = (key: string, name: string) => name === 'first_name' || (name === 'count' && plural.test(key))

const ordinary: Record<string, string> = {
  first_name: 'Anna',
  order_number: '#10482',
  carrier: 'DHL',
  pickup_until: 'Wednesday 23 September',
}
const long = { ...ordinary, order_number: 'SHOP-2026-004711' }
const fill = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? `no sample of ${name}`)

/** Variants are tried in this order. */
const variants = [
  ['no_name', ['first_name', 'full_name']],
  ['no_carrier', ['carrier', 'tracking_number']],
  ['no_pickup', ['pickup_name']],
  ['no_date', ['expected_date', 'pickup_until']],
] as const

describe('texts of messages to customers', () => {
  it.each(groups)('has a subject, preheader, heading and introduction for %s', (group) => {
    for (const part of ['subject', 'preheader', 'heading', 'introduction']) {
      expect(Object.keys(english)).toContain(`group.${group}.${part}`)
    }
  })

  it('has texts of known groups only, which name known variables only', () => {
    for (const [key, text] of Object.entries(english).filter(([name]) => name.startsWith('group.'))) {
      expect(groups).toContain(key.split('.')[1])
      for (const name of placeholders(text)) expect(mailVariables, key).toContain(name)
    }
  })

  it('has a variant for every variable that may be missing, whole without it', () => {
    for (const [key, text] of Object.entries(english)) {
      if (!key.startsWith('group.') || /\.no_\w+$/.test(key)) continue
      const used = variants.filter(([, names]) => names.some((name) => text.includes(`{${name}}`)))
      const texts = used.map(([variant]) => english[`${key}.${variant}`] ?? `no text ${key}.${variant}`)
      used.forEach(([, names], index) => {
        // The place is known where `no_date` is chosen, because `no_pickup` comes first.
        for (const missing of [names, ...used.slice(index + 1).map(([, later]) => later)].flat()) {
          expect(placeholders(texts[index] ?? ''), key).not.toContain(missing)
        }
      })
    }
  })

  describe.each(translated)('in %s', (language) => {
    const texts = read(language)
    const parts = (part: string) =>
      Object.entries(texts).filter(([key]) => key.startsWith('group.') && key.split('.')[2] === part)

    it('are the texts of English, with the plural forms of the language', () => {
      const forms = counted.flatMap((key) => pluralKeys(key, language))
      const others = Object.keys(english).filter(
        (key) => !counted.some((other) => key.replace(plural, '.other') === other),
      )
      expect(Object.keys(texts).sort()).toEqual([...others, ...forms].sort())
    })

    it('have the placeholders of English', () => {
      for (const [key, text] of Object.entries(texts)) {
        const model = placeholders(english[key] ?? english[key.replace(plural, '.other')] ?? '')
        const given = placeholders(text)
        const required = model.filter((name) => !isOptional(key, name))
        expect(
          given.filter((name) => !isOptional(key, name)),
          `${language} ${key}`,
        ).toEqual(required)
        for (const name of given) expect(model, `${language} ${key}`).toContain(name)
      }
    })

    it('are not empty and have no line breaks, stray spaces or exclamation marks in a row', () => {
      for (const [key, text] of Object.entries(texts)) {
        expect(text, key).not.toMatch(/^\s*$|^\s|\s$|[\r\n\t]| {2}|!\s*!/)
      }
    })

    it('have subjects that fit', () => {
      for (const [key, text] of parts('subject')) {
        expect(fill(text, ordinary).length, `${key}: ${text}`).toBeLessThanOrEqual(60)
        expect(fill(text, long).length, `${key}: ${text}`).toBeLessThanOrEqual(78)
      }
    })

    it('have preheaders that fit and do not repeat the subject', () => {
      for (const [key, text] of parts('preheader')) {
        const { length } = fill(text, ordinary)
        expect(length, `${key}: ${text}`).toBeGreaterThanOrEqual(40)
        expect(length, `${key}: ${text}`).toBeLessThanOrEqual(100)
        expect(text).not.toBe(texts[key.replace(/\.preheader.*$/, '.subject')])
      }
    })
  })

  it('exist in all languages, and in no other', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
    expect(files.sort()).toEqual(languages.map((language) => `${language}.json`).sort())
  })
})
