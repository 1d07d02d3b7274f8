import { useMutation } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import type { IntegrationName } from '../../app/integration-words.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { Card } from '../../kit/page.tsx'
import { Banner } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'
import { Copyable } from './exchange.tsx'
import { reasonHint, reasonWords } from './health.tsx'

type Result = Schemas['IntegrationTestResult']

interface IntegrationTestProps {
  name: IntegrationName
  overview: Pick<Schemas['IntegrationOverview'], 'test' | 'name'>
}

export function IntegrationTest(props: IntegrationTestProps) {
  return (
    <Card title={t('messages.test_title')}>
      <IntegrationTestForm {...props} />
    </Card>
  )
}

/** Sends a sample message with the stored credentials, and says how that went. */
export function IntegrationTestForm({ name, overview }: IntegrationTestProps) {
  const slug = useSlug()
  const [email, setEmail] = useState('')
  const test = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/integrations/{integration}/test', {
        params: { path: { slug, integration: name } },
        body: overview.test === 'message' ? { email } : {},
      }),
  })
  const problems = problemsByField(test.error)
  const isMessage = overview.test === 'message'
  return (
    <>
      <p className="soft">{t(isMessage ? 'messages.test_text' : 'messages.check_text', { name: overview.name })}</p>
      <Form
        className="stack"
        problems={problems}
        labels={{ email: t('messages.email') }}
        onSubmit={() => test.mutate()}
      >
        {isMessage && (
          <TextField
            label={t('messages.email')}
            type="email"
            autoComplete="email"
            value={email}
            error={problems.email}
            onChange={setEmail}
          />
        )}
        <div>
          <Button type="submit" icon="send" isBusy={test.isPending}>
            {t(isMessage ? 'messages.send_test_message' : 'messages.check_credentials')}
          </Button>
        </div>
      </Form>
      <div aria-live="polite">{test.data && <TestResult result={test.data} name={overview.name} />}</div>
    </>
  )
}

function TestResult({ result, name }: { result: Result; name: string }) {
  if (result.ok) {
    return (
      <Banner tone="good" title={t('messages.test_ok')}>
        <p>{t(result.test === 'message' ? 'messages.test_ok_text' : 'messages.check_ok_text', { name })}</p>
      </Banner>
    )
  }
  const reason = result.reason ?? 'interrupted'
  return (
    <div className="stack tight">
      <Banner tone="wrong" title={reasonWords(reason)}>
        <p>{reasonHint(reason, false) || result.message}</p>
      </Banner>
      {result.answer ? (
        <Copyable label={t('messages.answer')} text={`${result.status_code}\n${result.answer}`} />
      ) : (
        <p className="small soft">{result.message}</p>
      )}
    </div>
  )
}
