/**
 * Short codes that existing clients of this API send as `carrier_reference`, and the carrier each one means. Answers
 * carry our own reference. Services of one company count as that company: the two-man handling of DHL (`dhl2man`) and
 * its former interface (`dhl_old`) are DHL, DPD in the Netherlands (`dpdn`) is DPD, `hrs` is Hermes.
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
