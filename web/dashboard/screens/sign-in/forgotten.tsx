import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../app/api.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { problemsByField } from '../../kit/form.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { Entrance } from './entrance.tsx'

/** For people who have forgotten their password: asks for a link by e-mail, or says who can create one. */
export function Forgotten() {
  const options = useQuery(read('/v1/session/options'))
  if (options.isPending) {
    return (
      <Entrance title={t('forgotten.title')}>
        <SkeletonLines />
      </Entrance>
    )
  }
  if (options.isError) {
    return (
      <Entrance title={t('forgotten.title')}>
        <Problem error={options.error} retry={() => void options.refetch()} />
      </Entrance>
    )
  }
  return options.data.password_reset ? <RequestForm /> : <AskAdmin />
}

function RequestForm() {
  const [email, setEmail] = useState('')
  const request = useMutation({
    mutationFn: () => api.post('/v1/session/reset', { body: { email: email.trim() } }),
  })
  if (request.data) return request.data.is_available ? <Requested email={email.trim()} /> : <AskAdmin />
  const problems = problemsByField(request.error)
  return (
    <Entrance title={t('forgotten.title')} lead={t('forgotten.lead')}>
      {problems[''] && <Banner tone="wrong" title={problems['']} />}
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          request.mutate()
        }}
      >
        <TextField
          label={t('invitation.email')}
          type="email"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={email}
          onChange={(typed) => {
            setEmail(typed)
            request.reset()
          }}
          error={problems.email && t('forgotten.email_wrong')}
        />
        <Button type="submit" variant="primary" isBusy={request.isPending}>
          {t('forgotten.action')}
        </Button>
        <ButtonLink variant="quiet" to="/sign-in">
          {t('forgotten.back')}
        </ButtonLink>
      </form>
    </Entrance>
  )
}

/** The same whether or not there is such an account. */
function Requested({ email }: { email: string }) {
  return (
    <Entrance title={t('forgotten.sent_title')} lead={t('forgotten.sent_lead', { email })}>
      <p className="small soft">{t('forgotten.sent_help')}</p>
      <ButtonLink to="/sign-in">{t('forgotten.back')}</ButtonLink>
    </Entrance>
  )
}

function AskAdmin() {
  return (
    <Entrance title={t('forgotten.title')} lead={t('forgotten.ask_admin')}>
      <ButtonLink to="/sign-in">{t('forgotten.back')}</ButtonLink>
    </Entrance>
  )
}
