/**
 * Short codes that existing API clients send as `carrier_reference`, and the carrier of each. Replies contain our own
 * reference. Services of one company count as that company: `dhl2man` (two-man handling) and `dhl_old` are DHL, `dpdn`
 * (Netherlands) is DPD, `hrs` is Hermes.
 */
export const clientCodes: ReadonlyMap<string, string> = new Map(
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
