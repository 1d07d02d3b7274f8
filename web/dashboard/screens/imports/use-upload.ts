import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { api, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { t } from '../../texts/texts.ts'

export type ImportSummary = Schemas['ImportSummary']
export type ImportRecord = Schemas['Import']
export type ImportProblem = ImportRecord['problems'][number]

export const importsPath = '/v1/shops/{slug}/imports'

/** Larger files are sent with a script: a browser would have to stay open for too long. */
const mostBytes = 500_000_000

/** How often a running import is looked at. */
export const progressMs = 1_000

export function isRunning({ status }: Pick<ImportSummary, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** The reason not to send a file; undefined if it may be an import. */
export function rejectionOf(file: File): string | undefined {
  if (file.size === 0) return t('imports.empty_file')
  if (file.size > mostBytes) return t('imports.too_large')
  return /\.(csv|txt|tsv)$/i.test(file.name) || file.type.startsWith('text/') ? undefined : t('imports.not_csv')
}

/** The file of a dry run, as long as the page is open, so that it can be imported for real with one click. */
export function fileOf(queryClient: QueryClient, importId: string): File | undefined {
  return queryClient.getQueryData(['import file', importId])
}

/** Sends a file and opens the import that it becomes. */
export function useUpload() {
  const slug = useSlug()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ file, isDryRun }: { file: File; isDryRun: boolean }) =>
      api.post('/v1/shops/{slug}/imports/orders', {
        params: { path: { slug } },
        body: { dry_run: isDryRun, file } as never, // a file, which the description calls binary text
      }),
    async onSuccess(created, { file, isDryRun }) {
      if (isDryRun) {
        queryClient.setQueryDefaults(['import file'], { gcTime: Number.POSITIVE_INFINITY })
        queryClient.setQueryData(['import file', created.id], file)
      }
      await navigate({ to: '/$slug/imports/$importId', params: { slug, importId: created.id } })
      await refresh(queryClient, importsPath)
    },
  })
}
