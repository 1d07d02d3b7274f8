import { describe, expect, it } from 'vitest'
import {
  chooseLanguage,
  chooseTranslation,
  isLanguage,
  languages,
  languageTag,
} from '../../src/platform/foundation/languages.ts'

describe('choice of a language', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['de-Latn-AT', 'de'],
    ['el', 'gr'],
    ['el-GR', 'gr'],
    ['gr', 'gr'],
    ['ja', 'en'],
    ['ja, fr;q=0.2', 'fr'],
    ['de;q=0.5, fr;q=0.9', 'fr'],
    ['de, fr', 'de'],
    ['fr;q=0.8, de;q=0.8', 'fr'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['de;q=0', 'en'],
    ['de;q=0.0', 'en'],
    ['de;q=2, fr', 'fr'],
    ['de;q=nonsense', 'de'],
    ['*', 'en'],
    ['ja, *;q=0.5, de;q=0.1', 'en'],
    ['de;q=0.9, *;q=0.1', 'de'],
    [' sv ; q=0.3 ,  fi ; q=0.7', 'fi'],
    [',,;q=1,-', 'en'],
    ['x'.repeat(10_000), 'en'],
  ])('of the header %j is %s', (header, expected) => {
    expect(chooseLanguage(header, 'en')).toBe(expected)
  })

  it('falls back to the default of the caller', () => {
    expect(chooseLanguage('ja', 'pl')).toBe('pl')
    expect(chooseLanguage(undefined, 'pl')).toBe('pl')
    expect(chooseLanguage('*', 'pl')).toBe('pl')
  })
})

describe('languages', () => {
  it('are sixteen, with gr for Greek', () => {
    expect(languages).toHaveLength(16)
    expect(isLanguage('gr')).toBe(true)
    expect(isLanguage('el')).toBe(false)
  })

  it('have tags that Intl supports', () => {
    expect(languageTag('gr')).toBe('el')
    expect(Intl.DateTimeFormat.supportedLocalesOf(languages.map(languageTag))).toHaveLength(16)
  })
})

describe('choice of a translation', () => {
  const translations = new Map([
    ['de', 'Jacke'],
    ['gr', 'Μπουφάν'],
    ['ja', 'ジャケット'],
  ])
  it.each([
    [undefined, undefined],
    ['en', undefined],
    ['de', 'Jacke'],
    ['el-GR', 'Μπουφάν'],
    ['ja', undefined],
    ['fr, de;q=0.5', 'Jacke'],
    ['fr, en;q=0.9, de;q=0.5', undefined],
    ['fr, *;q=0.5', undefined],
  ])('for %j in a shop that writes English is %s', (header, expected) => {
    expect(chooseTranslation(header, 'en', translations)).toBe(expected)
  })

  it('is the one into the language of the shop if there is one and no other is requested', () => {
    expect(chooseTranslation(undefined, 'de', translations)).toBe('Jacke')
  })
})
