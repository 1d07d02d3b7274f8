import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { EventChoice, type EventName } from '../../app/event-choice.tsx'
import { useSlug } from '../../app/session.ts'
import { useEventWords } from '../../app/words.tsx'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { type Code, codesPath, useMapping } from './use-mapping.ts'

/** The dialog that maps a carrier's code to an event. It shows the effect before the mapping is applied. */
export function MapDialog({ code, onClose }: { code: Code; onClose: () => void }) {
  const eventWords = useEventWords()
  const [chosen, setChosen] = useState<EventName | undefined>(code.event_name ?? code.suggestion?.event_name)
  const { map } = useMapping(code)
  const label = t('carriers.meaning', { code: code.code })
  return (
    <Dialog
      title={label}
      shape="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button
            variant="primary"
            isBusy={map.isPending}
            disabled={chosen === undefined || chosen === code.event_name}
            onClick={() => chosen && map.mutate(chosen, { onSuccess: onClose })}
          >
            {t('carriers.apply')}
          </Button>
        </>
      }
    >
      {code.text && <blockquote className="carrier-words">{code.text}</blockquote>}
      <EventChoice label={label} chosen={chosen} onChange={setChosen} />
      {chosen && (
        <div className="stack tight" aria-live="polite">
          <p className="strong">{eventWords(chosen)}</p>
          <Consequences code={code} eventName={chosen} />
        </div>
      )}
    </Dialog>
  )
}

/** The effect of the mapping, in numbers. */
function Consequences({ code, eventName }: { code: Code; eventName: EventName }) {
  const slug = useSlug()
  const body = { provider: code.provider, code: code.code, event_name: eventName }
  const query = useQuery({
    queryKey: [`${codesPath}/preview`, slug, body],
    queryFn: ({ signal }) => api.post(`${codesPath}/preview` as const, { params: { path: { slug } }, body, signal }),
  })
  if (query.isPending) return <SkeletonLines count={2} />
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />
  const { scans, parcels, is_complete, changes, may_notify } = query.data
  return (
    <ul className="plain-list">
      <li>
        {t(is_complete ? 'carriers.preview_scans' : 'carriers.preview_many', {
          count: scans,
          parcels: t('carriers.parcels', { count: parcels }),
        })}
      </li>
      {changes.length === 0 && <li>{t('carriers.preview_no_change')}</li>}
      {changes.map(({ from, to, parcels }) => (
        <li key={`${from} ${to}`}>
          {t('carriers.preview_change', { count: parcels, from: t(`phase.${from}`), to: t(`phase.${to}`) })}
        </li>
      ))}
      <li>{t(may_notify ? 'carriers.preview_notifies' : 'carriers.preview_silent')}</li>
    </ul>
  )
}
