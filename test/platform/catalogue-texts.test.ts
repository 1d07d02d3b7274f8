import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { flags, phases } from '../../src/platform/catalogue/catalogue.ts'
import { messagesOf, readSituations } from '../../src/platform/catalogue/texts/translate.ts'
import { languages } from '../../src/platform/foundation/languages.ts'

const english = messagesOf('en')
const fields = ['status', 'headline', 'title', 'subtitle'] as const
const sentences = ['title', 'subtitle'] as const
const [header = '', ...lines] = readFileSync(
  new URL('../../src/platform/catalogue/catalogue.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
const catalogue = lines.map((line) => line.trim().split(','))
const names = catalogue.map(([name = '']) => name)

/** Every text of a language by its key. */
function textsOf(language: (typeof languages)[number]): Map<string, string> {
  const { events, situations } = messagesOf(language)
  return new Map([
    ...Object.entries(events).map(([name, text]): [string, string] => [`events.${name}`, text]),
    ...Object.entries(situations).flatMap(([name, texts]) =>
      Object.entries(texts).map(([field, text]): [string, string] => [`situations.${name}.${field}`, text]),
    ),
  ])
}

const placeholdersOf = (text: string) => [...text.matchAll(/\{[^}]*\}?|\}/g)].map(([found]) => found).sort()

describe('event catalogue', () => {
  it('has 159 names, each once, with a known phase and flag', () => {
    expect(header.trim()).toBe('event_name,phase,event_group,return_event_group,flag,moves_phase')
    expect(names).toHaveLength(159)
    expect(new Set(names).size).toBe(159)
    for (const [name = '', phase, group = '', returnGroup = '', flag, movesPhase, ...more] of catalogue) {
      expect(name).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
      expect(phases, name).toContain(phase)
      expect(flags, name).toContain(flag)
      expect(['yes', 'no'], name).toContain(movesPhase)
      expect(group, name).toMatch(/^([a-z]+(_[a-z]+)*)?$/)
      expect(returnGroup, name).toMatch(/^([a-z]+(_[a-z]+)*)?$/)
      expect(more, name).toEqual([])
    }
  })

  it('has a situation for each event, on its way to the customer and back, and no situation without an event', () => {
    const situations = readSituations()
    expect([...situations.keys()].sort()).toEqual(names.toSorted())
    const used = [...situations.values()].flatMap(({ outbound, return: back }) => [outbound, back])
    expect([...new Set(used)].sort()).toEqual(Object.keys(english.situations).sort())
  })
})

describe.each(languages)('texts in %s', (language) => {
  const messages = messagesOf(language)
  const texts = textsOf(language)

  it('have the same keys as English', () => {
    expect([...texts.keys()].sort()).toEqual([...textsOf('en').keys()].sort())
    expect(Object.keys(messages).sort()).toEqual(['events', 'situations'])
    for (const name of names) expect(messages.events[name], name).toBeTypeOf('string')
  })

  it('are never empty, padded or broken', () => {
    for (const [where, text] of texts) {
      expect(text.trim(), where).not.toBe('')
      expect(text, where).toBe(text.trim())
      expect(text, where).not.toMatch(/\s{2}|\uFFFD|&\w+;|<\w/u)
      expect(text.normalize('NFC'), where).toBe(text)
    }
  })

  it('have the placeholders of English', () => {
    for (const [where, text] of textsOf('en')) {
      expect(placeholdersOf(texts.get(where) ?? ''), where).toEqual(placeholdersOf(text))
      for (const placeholder of placeholdersOf(text)) expect(placeholder, where).toBe('{shop}')
    }
  })

  it.skipIf(language === 'en')('are translated', () => {
    const same = [...textsOf('en')].filter(([where, text]) => {
      const isSentence = !where.endsWith('.status')
      return isSentence && texts.get(where) === text
    })
    expect(same).toEqual([])
  })

  it('have labels without a full stop, and sentences with one', () => {
    for (const [name, label] of Object.entries(messages.events)) expect(label, name).not.toMatch(/[.!;:,]$/)
    for (const [name, situation] of Object.entries(messages.situations)) {
      for (const field of ['status', 'headline'] as const) expect(situation[field], name).not.toMatch(/[.;:,]$/)
      for (const field of sentences) expect(situation[field], name).toMatch(/[.!?]$/)
    }
  })

  it('fit the available space', () => {
    const room = { status: 35, headline: 50, title: 120, subtitle: 180 }
    for (const [name, label] of Object.entries(messages.events)) {
      expect(label.length, name).toBeGreaterThan(10)
      expect(label.length, name).toBeLessThanOrEqual(85)
    }
    for (const [name, situation] of Object.entries(messages.situations)) {
      for (const field of fields) expect(situation[field].length, `${name}.${field}`).toBeLessThanOrEqual(room[field])
      for (const field of sentences) expect(situation[field].length, `${name}.${field}`).toBeGreaterThan(15)
    }
  })
})
