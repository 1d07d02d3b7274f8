import { useMutation } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import type { Language } from '../../../app/languages.ts'
import { useSession, useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { TextField } from '../../../kit/field.tsx'
import { problemsByField } from '../../../kit/form.tsx'
import { Banner } from '../../../kit/problem.tsx'
import { t } from '../../../texts/texts.ts'
import type { Group } from './words.ts'

interface TestMessageProps {
  group: Group
  language: Language
  /** The edited template; undefined while it has mistakes. */
  template: Schemas['MailTemplateFields'] | undefined
  onClose: () => void
}

/** Sends what is being written to one address, and says what the server replied. */
export function TestMessage({ group, language, template, onClose }: TestMessageProps) {
  const slug = useSlug()
  const [to, setTo] = useState(useAddress())
  const test = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/mail/test', {
        params: { path: { slug } },
        body: { group, language, template: template ?? null, to },
      }),
  })
  const problems = problemsByField(test.error)
  return (
    <Dialog
      title={t('mail.test')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.close')}</Button>
          <Button
            variant="primary"
            icon="send"
            isBusy={test.isPending}
            disabled={template === undefined}
            onClick={() => test.mutate()}
          >
            {t(test.data ? 'mail.test_again' : 'mail.test_send')}
          </Button>
        </>
      }
    >
      <p className="soft">{t('mail.test_lead')}</p>
      {template === undefined && <Banner tone="late" title={t('mail.test_invalid')} />}
      <TextField
        label={t('mail.test_to')}
        type="email"
        autoComplete="email"
        value={to}
        error={problems.to}
        onChange={setTo}
      />
      {problems[''] && <Banner tone="wrong" title={problems['']} />}
      <div aria-live="polite">{test.data && <Result result={test.data} />}</div>
    </Dialog>
  )
}

function Result({ result: { ok, problem, response } }: { result: Schemas['MailTestResult'] }) {
  const reply = <p className="mail-reply small">{t('mail.test_reply', { reply: response })}</p>
  if (ok) {
    return (
      <Banner tone="good" title={t('mail.test_sent')}>
        {reply}
      </Banner>
    )
  }
  const isServers = problem !== 'no_account' && problem !== 'suppressed'
  return (
    <Banner tone="wrong" title={t('mail.test_failed')}>
      <p>{t(`mail.problem.${problem ?? 'unexpected'}`)}</p>
      {isServers && reply}
    </Banner>
  )
}

/** The reader's own address, if their account has one. */
function useAddress(): string {
  const session = useSession()
  return 'email' in session && typeof session.email === 'string' ? session.email : ''
}
