/** Our carriers by DHL's service names. */
export const services: ReadonlyMap<string, string> = new Map([
  ['parcel-de', 'dhl'],
  ['express', 'dhl-express'],
  ['ecommerce', 'dhl-ecommerce'],
  ['ecommerce-apac', 'dhl-ecommerce'],
  ['ecommerce-europe', 'dhl-ecommerce'],
  ['ecommerce-iberia', 'dhl-ecommerce'],
  ['ecommerce-ppl', 'dhl-ecommerce'],
  ['parcel-pl', 'dhl-ecommerce'],
  ['parcel-uk', 'dhl-ecommerce'],
  ['parcel-nl', 'dhl-parcel'],
  ['post-de', 'deutsche-post'],
  ['post-international', 'deutsche-post'],
  // Letters with a number.
  ['svb', 'deutsche-post'],
])
