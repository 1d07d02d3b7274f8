import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { read } from '../../../app/api.ts'
import { languageName } from '../../../app/languages.ts'
import { useSlug } from '../../../app/session.ts'
import { Badge } from '../../../kit/badge.tsx'
import { formatList } from '../../../kit/format.ts'
import { Card } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'
import { listPath } from './words.ts'

type Message = Schemas['MailTemplateList']['groups'][number]

const sections = [
  { name: 'parcel', about: ['parcel'] },
  { name: 'order', about: ['order'] },
  { name: 'return', about: ['return'] },
  { name: 'claim', about: ['claim', 'withdrawal'] },
] as const

/** Every message in the order of a parcel's journey. */
export function MessageList() {
  const slug = useSlug()
  const query = useQuery(read(listPath, { params: { path: { slug } } }))
  return (
    <Card title={t('mail.messages')}>
      <p className="soft">{t('mail.messages_lead')}</p>
      {query.isPending && <SkeletonLines count={12} />}
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data &&
        sections.map(({ name, about }) => (
          <section key={name} className="stack tight" aria-labelledby={`messages-${name}`}>
            <h3 id={`messages-${name}`}>{t(`mail.about.${name}`)}</h3>
            <ul className="mail-messages" data-list>
              {query.data.groups
                .filter((message) => about.some((one) => one === message.about))
                .map((message) => (
                  <MessageLine key={message.group} message={message} />
                ))}
            </ul>
          </section>
        ))}
    </Card>
  )
}

function MessageLine({ message: { group, changed_languages, is_urgent } }: { message: Message }) {
  const slug = useSlug()
  return (
    <li className="mail-message">
      <div>
        <Link className="strong" to="/$slug/settings/mail/$group" params={{ slug, group }}>
          {t(`mail.group.${group}.name`)}
        </Link>
        <p className="soft small">{t(`mail.group.${group}.when`)}</p>
      </div>
      <div className="row mail-marks">
        {is_urgent && <Badge>{t('mail.at_once')}</Badge>}
        {changed_languages.length > 0 && (
          <Badge tone="info">
            {t('mail.changed_in', { languages: formatList(changed_languages.map(languageName)) })}
          </Badge>
        )}
      </div>
    </li>
  )
}
