import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ListResult } from '../../kit/list/list.tsx'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

interface StoredRecordProps<Row> {
  title: string
  back: ReactNode
  isNew: boolean
  /** The list with the one record in it. */
  query: UseQueryResult<ListResult<Row>>
  /** The error of another record that has to be loaded first. */
  error: Error | null
  isReady: boolean
  children: (stored: Row | undefined) => ReactNode
}

/** An editor once its record is there: loading, not found, failed, or the editor itself. */
export function StoredRecord<Row>({ title, back, isNew, query, error, isReady, children }: StoredRecordProps<Row>) {
  const [stored] = query.data?.rows ?? []
  if (isReady && (isNew || stored)) return children(isNew ? undefined : stored)
  const problem = error ?? query.error
  return (
    <Page title={title} back={back}>
      {problem ? (
        <Problem error={problem} retry={() => void query.refetch()} />
      ) : isReady && query.data ? (
        <Empty title={t('problem.no_page')}>{t('problem.no_page_text')}</Empty>
      ) : (
        <>
          <SkeletonLines />
          <SkeletonBox rows={6} />
        </>
      )}
    </Page>
  )
}
