import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api, read, refresh } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyField } from '../../../kit/copy.tsx'
import { Confirm } from '../../../kit/dialog.tsx'
import { TextArea } from '../../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { formatList } from '../../../kit/format.ts'
import { Card, Page } from '../../../kit/page.tsx'
import { Banner, Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { Snippets } from './snippets.tsx'

type Embedding = Schemas['Embedding']

const path = '/v1/shops/{slug}/embedding'

/** The settings for delivery promises and the look-up on the shop's own site. */
export function EmbeddingSettings() {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const query = useQuery(read(path, { params: { path: { slug } } }))
  return (
    <Page title={t('embedding.title')} lead={t('embedding.lead')}>
      {query.isPending && <SkeletonLines count={8} />}
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <>
          {query.data.domains.length === 0 && (
            <Banner tone="late" title={t('embedding.no_domains')}>
              <p>{t('embedding.no_domains_text')}</p>
            </Banner>
          )}
          {mayChange ? <Domains key={slug} stored={query.data} /> : <ReadOnly embedding={query.data} />}
          <Snippets embedding={query.data} />
          <PublicKey embedding={query.data} mayChange={mayChange} />
        </>
      )}
    </Page>
  )
}

function Domains({ stored }: { stored: Embedding }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const draft = useDraft({ domains: stored.domains.join('\n') })
  const save = useMutation({
    mutationFn: () =>
      api.patch(path, { params: { path: { slug } }, body: { domains: domainsIn(draft.value.domains) } }),
    onSuccess: async () => {
      await refresh(queryClient, path)
      draft.reset()
      toasts.done(t('embedding.saved'))
    },
  })
  const problems = problemsByField(save.error)
  return (
    <Form
      problems={problems}
      labels={labelsOf(domainsIn(draft.value.domains))}
      onSubmit={() => save.mutate()}
      className="stack"
    >
      <Card title={t('embedding.domains')}>
        <TextArea
          label={t('embedding.domains_label')}
          help={t('embedding.domains_help')}
          rows={4}
          value={draft.value.domains}
          error={Object.values(problems)[0]}
          onChange={(domains) => draft.set({ domains })}
        />
      </Card>
      <SaveBar draft={draft} isBusy={save.isPending} />
    </Form>
  )
}

function labelsOf(domains: readonly string[]): Record<string, string> {
  return {
    domains: t('embedding.domains_label'),
    ...Object.fromEntries(domains.map((domain, index) => [`domains.${index}`, domain])),
  }
}

function domainsIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/))].filter((domain) => domain !== '')
}

function ReadOnly({ embedding: { domains } }: { embedding: Embedding }) {
  return (
    <Card title={t('embedding.domains')}>
      <p>{domains.length === 0 ? t('embedding.none') : formatList(domains)}</p>
      <p className="soft small">{t('embedding.read_only')}</p>
    </Card>
  )
}

function PublicKey({ embedding, mayChange }: { embedding: Embedding; mayChange: boolean }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [isAsking, setAsking] = useState(false)
  const rotate = useMutation({
    mutationFn: () => api.post('/v1/shops/{slug}/embedding/rotate-key', { params: { path: { slug } } }),
    onSuccess: async () => {
      await refresh(queryClient, path)
      setAsking(false)
      toasts.done(t('embedding.rotated'))
    },
  })
  return (
    <Card
      title={t('embedding.key')}
      aside={
        mayChange && (
          <Button isSmall onClick={() => setAsking(true)}>
            {t('embedding.rotate')}
          </Button>
        )
      }
    >
      <p className="soft">{t('embedding.key_lead')}</p>
      <CopyField label={t('embedding.key_value')} value={embedding.public_key} />
      {isAsking && (
        <Confirm
          title={t('embedding.rotate_title')}
          action={t('embedding.rotate')}
          isBusy={rotate.isPending}
          onConfirm={() => rotate.mutate()}
          onClose={() => setAsking(false)}
        >
          {rotate.isError && <Problem error={rotate.error} />}
          <p>{t('embedding.rotate_text')}</p>
        </Confirm>
      )}
    </Card>
  )
}
