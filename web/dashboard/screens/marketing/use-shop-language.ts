import { useQuery } from '@tanstack/react-query'
import { read } from '../../app/api.ts'
import type { Language } from '../../app/languages.ts'
import { useSlug } from '../../app/session.ts'

/** The language that a shop's own texts are in; undefined while it is loading. */
export function useShopLanguage(): { language: Language | undefined; currency: string; error: Error | null } {
  const slug = useSlug()
  const { data, error } = useQuery(read('/v1/shops/{slug}', { params: { path: { slug } } }))
  const language = data === undefined ? undefined : (data.language ?? 'en')
  return { language, currency: data?.shop_currency ?? 'EUR', error }
}

/** Records in the language that they are written in, so that saving does not replace it with a translation. */
export function asWritten(language: Language): { headers: { 'accept-language': string } } {
  return { headers: { 'accept-language': language } }
}
