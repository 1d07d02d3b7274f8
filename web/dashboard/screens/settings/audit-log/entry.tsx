import { Link } from '@tanstack/react-router'
import { useSlug } from '../../../app/session.ts'
import { CopyButton } from '../../../kit/copy.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { formatExactTime } from '../../../kit/format.ts'
import { Facts } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import { actionWords, actorWords, type Entry, fieldWords, subjectName, valueWords } from './words.ts'

/** One entry in full: who, when, and each field before and after. */
export function EntryDrawer({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { actor, subject } = entry
  return (
    <Dialog title={actionWords(entry)} shape="wide" onClose={onClose}>
      <Facts
        facts={[
          [t('audit.when'), <time dateTime={entry.recorded_at}>{formatExactTime(entry.recorded_at)}</time>],
          [t('audit.who'), <Actor key="actor" entry={entry} />],
          [t('audit.which'), subjectName(subject)],
          [t('audit.id'), subject.id && <Id key="id" value={subject.id} />],
          [t('audit.operation'), <code key="operation">{entry.action}</code>],
        ]}
      />
      <ChangesTable entry={entry} />
      <div className="stack tight">
        {actor.name !== null && (
          <Narrowed search={{ who: actor.name }}>{t('audit.all_by', { name: actor.name })}</Narrowed>
        )}
        {subject.id !== null && (
          <Narrowed search={{ kind: subject.kind, subject: subject.id }}>{t('audit.all_about')}</Narrowed>
        )}
      </div>
    </Dialog>
  )
}

function Actor({ entry: { actor } }: { entry: Entry }) {
  return (
    <>
      {actorWords(actor)}
      {actor.name !== null && (
        <span className="soft">
          {' · '}
          {t(`audit.actor.${actor.kind}`)}
          {actor.kind === 'key' && actor.id && <code> {actor.id}</code>}
        </span>
      )}
    </>
  )
}

function Id({ value }: { value: string }) {
  return (
    <span className="audit-id">
      <code className="truncate">{value}</code>
      <CopyButton value={value} isIconOnly />
    </span>
  )
}

function Narrowed({ search, children }: { search: Record<string, string>; children: string }) {
  const slug = useSlug()
  return (
    <Link to="/$slug/settings/audit-log" params={{ slug }} search={search}>
      {children}
    </Link>
  )
}

function ChangesTable({ entry }: { entry: Entry }) {
  const fields = Object.entries(entry.changes)
  if (fields.length === 0) return <p className="soft">{t('audit.no_fields')}</p>
  return (
    <table className="audit-changes">
      <caption className="unseen">{t('audit.changes')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('audit.field')}</th>
          <th scope="col">{t('audit.before')}</th>
          <th scope="col">{t('audit.after')}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(([field, { before, after }]) => (
          <tr key={field}>
            <th scope="row">{fieldWords(field)}</th>
            <td className="was" data-label={t('audit.before')}>
              {valueWords(before)}
            </td>
            <td data-label={t('audit.after')}>{valueWords(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
