import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useEffect, useRef, useState } from 'react'
import { api, read } from '../../../app/api.ts'
import type { Language } from '../../../app/languages.ts'
import { useSlug } from '../../../app/session.ts'
import { SelectField } from '../../../kit/field.tsx'
import { Card } from '../../../kit/page.tsx'
import { wordsOf } from '../../../kit/problem.tsx'
import { t } from '../../../texts/texts.ts'
import { MailFrame } from './frame.tsx'
import type { Group, Sample } from './words.ts'

type Template = Schemas['MailTemplateFields']
type Mail = Schemas['MailPreview']

interface MailPreviewProps {
  group: Group
  language: Language
  /** The edited template; undefined while it has mistakes. */
  template: Template | undefined
  samples: readonly Sample[]
}

/** The message as it would be sent, while it is written. While a draft is wrong, the last one stays. */
export function MailPreview({ group, language, template, samples }: MailPreviewProps) {
  const slug = useSlug()
  const [subject, setSubject] = useState<string>(samples[0] ?? '')
  const [width, setWidth] = useState<'phone' | 'desktop'>(() => (innerWidth < 700 ? 'phone' : 'desktop'))
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const [format, setFormat] = useState<'html' | 'text'>('html')
  const settled = useSettled(template)
  const sample = samples.find((one) => one === subject)
  const order = sample === undefined ? { order_id: subject } : { sample }
  const { mail, error, isFetching } = useMail(slug, { group, language, template: settled ?? null, scheme, ...order })
  return (
    <div className="mail-preview">
      <Card title={t('mail.preview')}>
        <div className="mail-controls">
          <SelectField
            label={t('mail.preview_with')}
            value={subject}
            choices={[...sampleChoices(samples), ...useNewestOrders()]}
            onChange={setSubject}
          />
          <SelectField
            label={t('mail.format')}
            value={format}
            choices={[
              { value: 'html', label: t('mail.format_html') },
              { value: 'text', label: t('mail.format_text') },
            ]}
            onChange={setFormat}
          />
          <SelectField
            label={t('mail.width')}
            value={width}
            choices={[
              { value: 'desktop', label: t('mail.width_desktop') },
              { value: 'phone', label: t('mail.width_phone') },
            ]}
            onChange={setWidth}
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
          {template === undefined
            ? t('mail.preview_waiting')
            : error
              ? wordsOf(error)
              : isFetching
                ? t('mail.preview_updating')
                : t('mail.preview_note')}
        </p>
        {mail && (
          <p className="mail-subject">
            <span className="soft small">{t('mail.subject')}</span> <span className="strong">{mail.subject}</span>
          </p>
        )}
        {format === 'html' ? (
          <MailFrame slug={slug} html={mail?.html} width={width} />
        ) : (
          <section className="mail-text" aria-label={t('mail.preview_text')}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard */}
            <pre tabIndex={0}>{mail?.text}</pre>
          </section>
        )}
      </Card>
    </div>
  )
}

function sampleChoices(samples: readonly Sample[]) {
  return samples.map((sample) => ({ value: sample as string, label: t(`mail.sample.${sample}`) }))
}

/** The newest orders of the shop. */
function useNewestOrders() {
  const slug = useSlug()
  const { data } = useQuery(
    read('/v1/shops/{slug}/lists/orders', { params: { path: { slug }, query: { per_page: 8 } } }),
  )
  return (data?.orders ?? []).map(({ order_id, order_number }) => ({
    value: order_id,
    label: t('mail.preview_order', { number: order_number }),
  }))
}

/** The newest message that could be rendered, and why a newer one could not. */
function useMail(slug: string, body: Schemas['MailPreviewRequest']) {
  const last = useRef<Mail>(undefined)
  const query = useQuery({
    queryKey: ['mail preview', slug, body],
    queryFn: ({ signal }) => api.post('/v1/shops/{slug}/mail/preview', { params: { path: { slug } }, body, signal }),
    retry: false,
    gcTime: 60_000,
  })
  if (query.data !== undefined) last.current = query.data
  return { mail: last.current, error: query.error, isFetching: query.isFetching }
}

const settleMs = 250

/** The newest valid template, once nothing was typed for a moment; undefined if there was none yet. */
function useSettled(template: Template | undefined): Template | undefined {
  const [settled, setSettled] = useState(template)
  const text = template && JSON.stringify(template)
  useEffect(() => {
    if (text === undefined) return
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Template), settleMs) // of the line above
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
