import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useEffect, useRef, useState } from 'react'
import { SelectField } from '../kit/field.tsx'
import { Card } from '../kit/page.tsx'
import { wordsOf } from '../kit/problem.tsx'
import { t } from '../texts/texts.ts'
import { api } from './api.ts'
import { type Language, languageChoices } from './languages.ts'
import { PhoneFrame } from './phone-frame.tsx'
import { useSlug } from './session.ts'

type Draft = Pick<Schemas['PagePreview'], 'campaign' | 'deals' | 'announcements'>

interface PagePreviewProps {
  /** The edited settings; undefined while they are not valid. */
  draft: Draft | undefined
  language: Language
  onLanguage: (language: Language) => void
  /** Selects the part of the page that shows the draft. */
  part: string
}

const scenes = ['placed', 'in_transit', 'in_delivery', 'delivered', 'failed'] as const
type Scene = (typeof scenes)[number]

/** The tracking page of a made-up order with what is being edited, as on a phone. While a draft is wrong, the last one stays. */
export function PagePreview({ draft, language, onLanguage, part }: PagePreviewProps) {
  const slug = useSlug()
  const [scene, setScene] = useState<Scene>('in_delivery')
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const settled = useSettled(draft)
  const { html, error, isFetching } = usePage(slug, { ...settled, language, scene, color_scheme: scheme })
  const frame = `/v1/shops/${encodeURIComponent(slug)}/settings/brand-palette/preview?scheme=${scheme}`
  return (
    <Card title={t('preview.title')}>
      <div className="preview-controls">
        <SelectField label={t('preview.language')} value={language} choices={languageChoices()} onChange={onLanguage} />
        <SelectField
          label={t('preview.scene')}
          value={scene}
          choices={scenes.map((value) => ({ value, label: t(`preview.scenes.${value}`) }))}
          onChange={setScene}
        />
        <SelectField
          label={t('brand.scheme')}
          value={scheme}
          choices={[
            { value: 'light', label: t('nav.scheme_light') },
            { value: 'dark', label: t('nav.scheme_dark') },
          ]}
          onChange={setScheme}
        />
      </div>
      <p className="soft small preview-state" role="status">
        {draft === undefined
          ? t(settled === undefined ? 'preview.not_yet' : 'preview.not_valid')
          : error
            ? wordsOf(error)
            : isFetching
              ? t('preview.updating')
              : t('preview.note')}
      </p>
      <PhoneFrame title={t('preview.title')} address={frame} html={html} part={part} />
    </Card>
  )
}

/** The newest page that could be drawn, and why a newer one could not. */
function usePage(slug: string, body: Schemas['PagePreview']) {
  const last = useRef<string>(undefined)
  const query = useQuery({
    queryKey: ['page preview', slug, body],
    queryFn: async ({ signal }) => {
      const { data } = await api.raw.POST('/v1/shops/{slug}/settings/page-preview', {
        params: { path: { slug } },
        body,
        parseAs: 'text',
        signal,
      })
      return data as unknown as string // the page's text, which the description calls bytes
    },
    retry: false,
    gcTime: 60_000,
  })
  if (query.data !== undefined) last.current = query.data
  return { html: last.current, error: query.error, isFetching: query.isFetching }
}

const settleMs = 250

/** The newest valid draft, once nothing was typed for a moment; undefined if there was none yet. */
function useSettled(draft: Draft | undefined): Draft | undefined {
  const [settled, setSettled] = useState(draft)
  const text = draft && JSON.stringify(draft)
  useEffect(() => {
    if (text === undefined) return
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Draft), settleMs) // of the line above
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
