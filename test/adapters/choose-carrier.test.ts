import { describe, expect, it } from 'vitest'
import { catalogue } from '../../src/adapters/carriers/catalogue/catalogue.ts'
import { chooseCarrier, findCarrier, findCarrierByCompany, trackingUrl } from '../../src/adapters/carriers/choose.ts'

describe('catalogue', () => {
  it('has at least 60 carriers, each once', () => {
    expect(catalogue.length).toBeGreaterThanOrEqual(60)
    expect(new Set(catalogue.map(({ reference }) => reference)).size).toBe(catalogue.length)
    expect(new Set(catalogue.map(({ name }) => name.toLowerCase())).size).toBe(catalogue.length)
  })

  it.each(catalogue.map((entry) => [entry.reference, entry] as const))(
    'has a well-formed entry for %s',
    (reference, entry) => {
      expect(reference).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
      expect(entry.name.trim()).toBe(entry.name)
      expect(new Set(entry.countries).size).toBe(entry.countries.length)
      for (const country of entry.countries) expect(country).toMatch(/^[A-Z]{2}$/)
      // They have no page with the number in its address.
      if (reference === 'sandbox' || reference === 'rhenus') return expect(entry.trackingUrl).toBe('')
      expect(entry.trackingUrl).toMatch(/^https:\/\/[^{}]+\{tracking_number\}/)
      const filled = trackingUrl(reference, 'AB 1/2', '1000 AA') ?? ''
      expect(URL.canParse(filled)).toBe(true)
      expect(filled).not.toMatch(/[{} ]/)
      expect(filled).toContain('AB1%2F2')
    },
  )

  it('finds every carrier by its reference, its name and each of its aliases', () => {
    for (const entry of catalogue) {
      for (const name of [entry.reference, entry.name, ...entry.aliases]) {
        expect(findCarrierByCompany(name)?.reference, name).toBe(entry.reference)
      }
    }
  })
})

describe('company of a tracking', () => {
  it.each([
    ['DHL Paket', 'dhl'],
    ['Deutsche Post DHL', 'dhl'],
    ['dhl paket gmbh', 'dhl'],
    ['DHL Express', 'dhl-express'],
    ['DHL Express (Germany)', 'dhl-express'],
    ['UPS Ground', 'ups'],
    ['U.P.S.', 'ups'],
    ['ups worldwide saver', 'ups'],
    ['dpd_de', 'dpd'],
    ['DPD Deutschland GmbH', 'dpd'],
    ['DPD UK', 'dpd-uk'],
    ['FEDEX-GROUND', 'fedex'],
    ['Österreichische Post AG', 'austrian-post'],
    ['Osterreichische Post', 'austrian-post'],
    ['Royal Mail', 'royal-mail'],
    ['Zásilkovna s.r.o.', 'packeta'],
    ['GLS Group', 'gls'],
    ['Chronopost International', 'chronopost'],
    ['La Poste – Colissimo', 'colissimo'],
  ])('reads %s as %s', (company, reference) => {
    expect(findCarrierByCompany(company)?.reference).toBe(reference)
  })

  it.each(['', '  ', 'Express', 'Other', 'Post', 'my cousin', 'UPS or DHL', 'Hermes FedEx'])(
    'guesses nothing from "%s"',
    (company) => {
      expect(findCarrierByCompany(company)).toBeUndefined()
    },
  )
})

describe('carrier of a parcel', () => {
  const upsNumber = '1Z5R89390357567127'

  it('is the one given, in any case, before anything else', () => {
    expect(chooseCarrier({ carrierReference: 'DPD', trackingCompany: 'GLS', trackingNumber: upsNumber })).toEqual({
      reference: 'dpd',
      isKnown: true,
    })
  })

  it('is unknown when the one given is not in the catalogue', () => {
    expect(chooseCarrier({ carrierReference: 'pigeon', trackingNumber: upsNumber })).toEqual({
      reference: undefined,
      isKnown: false,
    })
  })

  it('is derived from the company first, then from the number', () => {
    expect(chooseCarrier({ trackingCompany: 'GLS', trackingNumber: upsNumber }).reference).toBe('gls')
    expect(chooseCarrier({ trackingCompany: 'Other', trackingNumber: upsNumber }).reference).toBe('ups')
  })

  it('is unknown if the number fits none with enough certainty', () => {
    const open = { reference: undefined, isKnown: true }
    expect(chooseCarrier({ trackingNumber: '012345678901' })).toEqual(open)
    expect(chooseCarrier({ trackingNumber: 'HELLO', countryCode: 'DE' })).toEqual(open)
  })

  it('is the sandbox for its numbers', () => {
    expect(chooseCarrier({ trackingNumber: 'SBX-DELIVERED-1S-demo' }).reference).toBe('sandbox')
  })
})

describe('tracking page', () => {
  it('has the number and, if the page needs it, the postcode', () => {
    expect(trackingUrl('ups', '1Z5R89390357567127')).toBe('https://www.ups.com/track?tracknum=1Z5R89390357567127')
    expect(trackingUrl('postnl', '3SABCD123456789', '1012 AB')).toBe(
      'https://jouw.postnl.nl/track-and-trace/3SABCD123456789-NL-1012%20AB',
    )
  })

  it('gets only the number, without surrounding text', () => {
    const page = 'https://www.ups.com/track?tracknum=1Z5R89390357567127'
    for (const given of ['UPS 1Z 5R8 939 03 5756 7127', '\u200b1Z5R89390357567127', page]) {
      expect(trackingUrl('ups', given)).toBe(page)
    }
  })

  it('cannot be manipulated by the contents of a number', () => {
    expect(trackingUrl('ups', '$&{zip_code}&x=1#')).toBe(
      'https://www.ups.com/track?tracknum=%24%26%7Bzip_code%7D%26x%3D1%23',
    )
  })

  it('does not exist for the sandbox and for an unknown carrier', () => {
    expect(trackingUrl('sandbox', 'SBX-LOST-1S-1')).toBeUndefined()
    expect(trackingUrl('pigeon', '1')).toBeUndefined()
    expect(findCarrier('pigeon')).toBeUndefined()
  })
})

describe('short codes of existing clients', () => {
  it.each([
    ['amz', 'amazon'],
    ['anpost', 'an-post'],
    ['asendia_de', 'asendia'],
    ['dachser', 'dachser'],
    ['depost', 'deutsche-post'],
    ['dhl2man', 'dhl'],
    ['dhl_old', 'dhl'],
    ['dhlexp', 'dhl-express'],
    ['dpdn', 'dpd'],
    ['dpduk', 'dpd-uk'],
    ['gls_es', 'gls'],
    ['goexp', 'go-express'],
    ['hrs', 'hermes'],
    ['parcelone', 'parcel-one'],
    ['postat', 'austrian-post'],
    ['postnl_inter', 'postnl'],
    ['rhe', 'rhenus'],
    ['royalmail', 'royal-mail'],
    ['swisspost', 'swiss-post'],
  ])('%s is %s', (code, reference) => {
    expect(findCarrier(code)?.reference).toBe(reference)
    expect(findCarrier(` ${code.toUpperCase()} `)?.reference).toBe(reference)
  })
})
