import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Language, languages, languageTag } from '../../src/platform/foundation/languages.ts'
import { textsIn } from '../../src/platform/foundation/texts.ts'

const folders = [
  'src/customer-view/texts/page/',
  'src/customer-view/texts/claim/',
  'src/customer-page/embedding/texts/',
  'src/customer-page/unsubscribe/texts/',
  'src/customer-page/withdrawal/texts/',
].map((folder) => new URL(`../../${folder}`, import.meta.url))
const read = (folder: URL, language: Language): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'))

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
const plural = /\.(zero|one|two|few|many|other)$/

describe.each(folders.map((folder) => [folder.pathname.split('/').slice(-4, -1).join('/'), folder] as const))(
  'texts of %s',
  (_name, folder) => {
    const english = read(folder, 'en')
    const translated = languages.filter((language) => existsSync(new URL(`${language}.json`, folder)))

    it('exist for our languages only', () => {
      const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
      expect(files.sort()).toEqual(translated.map((language) => `${language}.json`).sort())
    })

    it.each(languages)('in %s are complete', (language) => {
      const texts = read(folder, language)
      expect(Object.keys(english).filter((key) => !(key in texts))).toEqual([])
    })

    it.each(translated)('in %s have the same placeholders', (language) => {
      const texts = read(folder, language)
      for (const [key, text] of Object.entries(texts)) {
        const model = english[key] ?? english[key.replace(plural, '.other')]
        expect(model, `${key} is no text of the page`).toBeDefined()
        expect(text.trim(), key).not.toBe('')
        // A form for exactly one or two may omit the number.
        const wanted = placeholders(model ?? '').filter((name) => !plural.test(key) || name !== 'count')
        const given = placeholders(text).filter((name) => !plural.test(key) || name !== 'count')
        expect(given, `${language} ${key}`).toEqual(wanted)
      }
    })

    it.each(translated)('in %s have every plural form', (language) => {
      const texts = read(folder, language)
      const { pluralCategories } = new Intl.PluralRules(languageTag(language)).resolvedOptions()
      const counted = Object.keys(english).filter(
        (key) => key.endsWith('.other') && `${key.slice(0, -6)}.one` in english,
      )
      for (const key of counted) {
        for (const category of pluralCategories) {
          if (key in texts) expect(Object.keys(texts)).toContain(key.replace(/other$/, category))
        }
      }
    })
  },
)

describe('text', () => {
  const folder = folders[0] ?? new URL('.', import.meta.url)

  it('has its placeholders filled in and its plural form, and is English if a translation is missing', () => {
    const english = textsIn(folder, 'en')
    expect(english.say('order.number', { number: '$&{x}' })).toBe('Order $&{x}')
    expect(english.count('parcel.earlier', 1)).toBe('Show 1 earlier update')
    expect(english.count('parcel.earlier', 1_200)).toBe('Show 1,200 earlier updates')
    expect(() => english.say('no.such.text')).toThrow('no.such.text')
    expect(textsIn(new URL('../web/no-such-folder/', folder), 'de').language).toBe('de')
  })
})
