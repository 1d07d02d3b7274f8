import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { read } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { saveCsv } from '../../kit/csv.ts'
import { Card } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { hasText, t } from '../../texts/texts.ts'

type Column = Schemas['ImportColumn']
const subjects = ['order', 'address', 'parcel', 'product'] as const satisfies readonly Column['about'][]

/** The columns that a file may have, and a template with all of them. */
export function ColumnGuide() {
  const slug = useSlug()
  const query = useQuery({
    ...read('/v1/shops/{slug}/imports/columns', { params: { path: { slug } } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Card title={t('imports.columns')}>
      <p className="soft">{t('imports.columns_text')}</p>
      {query.isPending ? (
        <SkeletonLines count={4} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <>
          <div>
            <Button icon="download" onClick={() => saveTemplate(query.data)}>
              {t('imports.template')}
            </Button>
          </div>
          {subjects.map((subject) => (
            <details key={subject}>
              <summary>{t(`imports.about.${subject}`)}</summary>
              <dl className="column-guide">
                {query.data
                  .filter(({ about }) => about === subject)
                  .map((column) => (
                    <ColumnLine key={column.name} column={column} />
                  ))}
              </dl>
            </details>
          ))}
        </>
      )}
    </Card>
  )
}

function ColumnLine({ column: { name, aliases, example, is_required, kind } }: { column: Column }) {
  const text = `imports.column.${name}`
  return (
    <div>
      <dt>
        <code>{name}</code> {is_required && <strong className="small">{t('imports.required')}</strong>}
      </dt>
      <dd className="soft small">
        {hasText(text) && `${t(text)} `}
        {t(`imports.kind.${kind}`, { example })}
        {aliases.length > 0 && ` ${t('imports.aliases', { names: aliases.join(', ') })}`}
      </dd>
    </div>
  )
}

/** Every column, and one order that can be imported as it is. */
function saveTemplate(columns: readonly Column[]): void {
  saveCsv('doorstep-orders.csv', [Object.fromEntries(columns.map(({ name, example }) => [name, example]))])
}
