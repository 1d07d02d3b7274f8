import { catalogue } from './catalogue/catalogue.ts'
import type { CatalogueEntry } from './catalogue/entry.ts'

/** The carrier with this reference, or with this short code of an existing client. */
export function findCarrier(reference: string): CatalogueEntry | undefined {
  const name = reference.trim().toLowerCase()
  return byReference.get(name) ?? byReference.get(clientCodes.get(name) ?? '')
}

/**
 * The carrier that a shop system calls by this name. Ignores case, punctuation and suffixes of companies and services;
 * a name that fits two carriers matches none.
 */
export function findCarrierByCompany(company: string): CatalogueEntry | undefined {
  const words = wordsOf(company)
  const found = indexes.map(({ key, entries }) => entries.get(key(words))).find((entries) => entries !== undefined)
  const [entry] = found ?? []
  return found?.size === 1 ? entry : undefined
}

const legalForms = wordSet('gmbh ag se sa spa srl sl bv nv ltd limited inc llc plc co kg kgaa ab as oy aps sro zrt')
const services = wordSet(
  'express ground standard economy priority saver classic premium international worldwide domestic ' +
    'paket parcel parcels package paczka courier kurier logistics shipping delivery group service services',
)

// From the full name to its core: "DHL Express" and "DHL Paket" are two carriers, so the core alone must not decide.
const indexes = [
  (words: string[]) => words.join(''),
  (words: string[]) => without(words, legalForms).join(''),
  (words: string[]) => without(without(words, legalForms), services).join(''),
].map((key) => ({ key, entries: indexBy(key) }))

const byReference = new Map(catalogue.map((entry) => [entry.reference, entry]))

function indexBy(key: (words: string[]) => string): ReadonlyMap<string, ReadonlySet<CatalogueEntry>> {
  const index = new Map<string, Set<CatalogueEntry>>()
  for (const entry of catalogue) {
    for (const name of [entry.reference, entry.name, ...entry.aliases]) {
      const words = wordsOf(name)
      index.set(key(words), (index.get(key(words)) ?? new Set()).add(entry))
    }
  }
  return index
}

function without(words: string[], additions: ReadonlySet<string>): string[] {
  const left = words.filter((word) => !additions.has(word))
  return left.length > 0 ? left : words
}

/** "D.P.D." is one word, "dpd_de" two. Umlauts also match their spelling without them. */
function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\p{M}.'’]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/**
 * Short codes that existing API clients send as `carrier_reference`, and the carrier of each. Replies contain our own
 * reference. Services of one company count as that company: `dhl2man` (two-man handling) and `dhl_old` are DHL, `dpdn`
 * (Netherlands) is DPD, `hrs` is Hermes.
 */
const clientCodes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amz: 'amazon',
    anpost: 'an-post',
    asendia_de: 'asendia',
    depost: 'deutsche-post',
    dhl2man: 'dhl',
    dhl_old: 'dhl',
    dhlexp: 'dhl-express',
    dpdn: 'dpd',
    dpduk: 'dpd-uk',
    gls_es: 'gls',
    goexp: 'go-express',
    hrs: 'hermes',
    parcelone: 'parcel-one',
    postat: 'austrian-post',
    postnl_inter: 'postnl',
    rhe: 'rhenus',
    royalmail: 'royal-mail',
    swisspost: 'swiss-post',
  }),
)
