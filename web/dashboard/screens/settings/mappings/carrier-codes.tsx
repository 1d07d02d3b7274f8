import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type RowOf, readList, refresh } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { useEventNames, useEventWords } from '../../../app/words.tsx'
import { Button } from '../../../kit/button.tsx'
import { Field } from '../../../kit/field.tsx'
import { Card } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { Empty, SkeletonLines } from '../../../kit/states.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { hasText, t } from '../../../texts/texts.ts'

const path = '/v1/shops/{slug}/carriers/unmapped'
type Code = RowOf<typeof path>

/** Codes that carriers sent and nobody has explained yet, and those that were explained here. */
export function CarrierCodes() {
  const slug = useSlug()
  const [page, setPage] = useState(1)
  const open = useQuery(readList(path, { params: { path: { slug }, query: { page, per_page: 25 } } }))
  const mapped = useQuery(readList(path, { params: { path: { slug }, query: { mapped: true, per_page: 100 } } }))
  return (
    <Card title={t('mappings.codes')}>
      <p className="soft">{t('mappings.codes_lead')}</p>
      {open.isPending ? (
        <SkeletonLines count={5} />
      ) : open.isError ? (
        <Problem error={open.error} retry={() => void open.refetch()} />
      ) : open.data.rows.length === 0 && page === 1 ? (
        <Empty title={t('mappings.codes_empty')}>{t('mappings.codes_empty_text')}</Empty>
      ) : (
        <Codes label={t('mappings.codes_open')} codes={open.data.rows} />
      )}
      {(page > 1 || open.data?.hasNext) && (
        <div className="row">
          <Button icon="left" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('list.previous')}
          </Button>
          <Button icon="right" disabled={!open.data?.hasNext} onClick={() => setPage(page + 1)}>
            {t('list.next')}
          </Button>
        </div>
      )}
      {mapped.data && mapped.data.rows.length > 0 && (
        <details>
          <summary>{t('mappings.codes_mapped', { count: mapped.data.rows.length })}</summary>
          <Codes label={t('mappings.codes_mapped', { count: mapped.data.rows.length })} codes={mapped.data.rows} />
        </details>
      )}
    </Card>
  )
}

function Codes({ label, codes }: { label: string; codes: readonly Code[] }) {
  return (
    <ul className="code-list" aria-label={label} data-list>
      {codes.map((code) => (
        <CodeItem key={`${code.provider} ${code.code}`} code={code} />
      ))}
    </ul>
  )
}

function CodeItem({ code }: { code: Code }) {
  const eventWords = useEventWords()
  const mayChange = useMay('admin')
  return (
    <li className="code-item">
      <div className="stack tight">
        <p>
          <strong>{providerName(code.provider)}</strong> <code>{code.code}</code>
        </p>
        {code.text && <p>“{code.text}”</p>}
        <p className="soft small">
          {t('mappings.scans', { count: code.scans })} · {t('mappings.last_seen')}{' '}
          <RelativeTime at={code.last_seen_at} />
        </p>
      </div>
      {mayChange ? (
        <EventChoice code={code} />
      ) : (
        <p className="soft">{code.event_name ? eventWords(code.event_name) : t('mappings.not_mapped')}</p>
      )}
    </li>
  )
}

/** Events by phase; a choice is saved with the button, because notifications may follow from it. */
function EventChoice({ code }: { code: Code }) {
  const slug = useSlug()
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const events = useEventNames()
  const [chosen, setChosen] = useState(code.event_name ?? '')
  const save = useMutation({
    mutationFn: () =>
      api.put(path, {
        params: { path: { slug } },
        body: { provider: code.provider, code: code.code, event_name: chosen as never }, // one of the listed names
      }),
    onSuccess: async () => {
      await refresh(queryClient, path)
      toasts.done(t('mappings.code_saved', { code: code.code, count: code.scans }))
    },
    onError: toasts.failed,
  })
  const phases = [...new Set(events.map(({ phase }) => phase))]
  return (
    <div className="row code-choice">
      <Field label={t('mappings.means', { code: code.code })} isLabelHidden>
        {(control) => (
          <select {...control} value={chosen} onChange={(event) => setChosen(event.target.value)}>
            <option value="">{t('mappings.choose_event')}</option>
            {phases.map((phase) => (
              <optgroup key={phase} label={t(`phase.${phase}`)}>
                {events
                  .filter((event) => event.phase === phase)
                  .map(({ event_name, text }) => (
                    <option key={event_name} value={event_name}>
                      {text}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <Button
        isBusy={save.isPending}
        disabled={chosen === '' || chosen === code.event_name}
        onClick={() => save.mutate()}
      >
        {t('kit.save')}
      </Button>
    </div>
  )
}

function providerName(provider: string): string {
  const key = `mappings.provider.${provider}`
  return hasText(key) ? t(key) : provider
}
