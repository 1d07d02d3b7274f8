import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useSlug } from '../../../app/session.ts'
import { Code, CopyButton } from '../../../kit/copy.tsx'
import { Card } from '../../../kit/page.tsx'
import { rich, t } from '../../../texts/texts.ts'

type Embedding = Schemas['Embedding']

/** The two components as HTML. The content between their tags is shown if scripts do not run. */
export function Snippets({ embedding }: { embedding: Embedding }) {
  const slug = useSlug()
  const { promise, tracking } = snippetsOf(slug, embedding)
  return (
    <>
      <Card title={t('embedding.promise')} aside={<CopyButton value={promise} />}>
        <p className="soft">
          {rich('embedding.promise_lead', {
            link: (
              <Link to="/$slug/settings/promises" params={{ slug }}>
                {t('embedding.promise_link')}
              </Link>
            ),
          })}
        </p>
        <Code label={t('embedding.html', { name: t('embedding.promise') })}>{promise}</Code>
      </Card>
      <Card title={t('embedding.tracking')} aside={<CopyButton value={tracking} />}>
        <p className="soft">{t('embedding.tracking_lead')}</p>
        <Code label={t('embedding.html', { name: t('embedding.tracking') })}>{tracking}</Code>
      </Card>
    </>
  )
}

function snippetsOf(slug: string, { public_key, snippet_url, page_url, style }: Embedding) {
  const script = `<style>${style}</style>
<script type="module" src="${snippet_url}"></script>`
  return {
    promise: `${script}
<doorstep-promise shop="${slug}" key="${public_key}" country="DE" zip="" products="SKU-1">
  ${t('embedding.promise_fallback')}
</doorstep-promise>`,
    tracking: `${script}
<doorstep-tracking shop="${slug}" key="${public_key}">
  <a href="${page_url}">${t('embedding.tracking_fallback')}</a>
</doorstep-tracking>`,
  }
}
