import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { problemsByField } from '../../kit/form.tsx'
import { Card } from '../../kit/page.tsx'
import { Banner } from '../../kit/problem.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { PasswordField } from '../sign-in/password-field.tsx'

export function TwoFactor({ isOn }: { isOn: boolean }) {
  const [open, setOpen] = useState<'on' | 'off' | undefined>()
  const close = () => setOpen(undefined)
  return (
    <Card
      title={t('account.two_factor')}
      aside={isOn ? <Badge tone="good">{t('account.on')}</Badge> : <Badge>{t('account.off')}</Badge>}
    >
      <p>{isOn ? t('account.two_factor_on') : t('account.two_factor_off')}</p>
      <div className="row">
        {isOn ? (
          <Button onClick={() => setOpen('off')}>{t('account.switch_off')}</Button>
        ) : (
          <Button onClick={() => setOpen('on')}>{t('account.set_up')}</Button>
        )}
      </div>
      {open === 'on' && <SetUp onClose={close} />}
      {open === 'off' && <SwitchOff onClose={close} />}
    </Card>
  )
}

/** First the password, then a code that proves that the app has the secret. */
function SetUp({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const begin = useMutation({ mutationFn: () => api.post('/v1/session/totp', { body: { password } }) })
  const problems = problemsByField(begin.error)
  if (begin.data) return <Scan setup={begin.data} onClose={onClose} />
  return (
    <Dialog
      title={t('account.set_up_title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button variant="primary" type="submit" form="begin-totp" isBusy={begin.isPending}>
            {t('account.next')}
          </Button>
        </>
      }
    >
      <form
        id="begin-totp"
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          begin.mutate()
        }}
      >
        <p>{t('account.set_up_text')}</p>
        {problems[''] && <Banner tone="wrong" title={problems['']} />}
        <PasswordField
          label={t('account.your_password')}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={problems.password && t('account.old_password_wrong')}
        />
      </form>
    </Dialog>
  )
}

function Scan({ setup, onClose }: { setup: Schemas['TotpSetup']; onClose: () => void }) {
  const codes = useCode('/v1/session/totp/confirm', t('account.switched_on'), onClose)
  return (
    <Dialog
      title={t('account.scan_title')}
      onClose={onClose}
      closesLightly={false}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button variant="primary" type="submit" form="confirm-totp" isBusy={codes.isBusy}>
            {t('account.switch_on')}
          </Button>
        </>
      }
    >
      <p>{t('account.scan_text')}</p>
      <img
        className="qr-code"
        src={`data:image/svg+xml,${encodeURIComponent(setup.qr_code)}`}
        alt={t('account.qr_code')}
      />
      <details>
        <summary>{t('account.cannot_scan')}</summary>
        <CopyField label={t('account.secret')} value={setup.secret} />
      </details>
      <CodeForm id="confirm-totp" codes={codes} />
    </Dialog>
  )
}

function SwitchOff({ onClose }: { onClose: () => void }) {
  const codes = useCode('/v1/session/totp/remove', t('account.switched_off'), onClose)
  return (
    <Dialog
      title={t('account.switch_off_title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button variant="danger" type="submit" form="remove-totp" isBusy={codes.isBusy}>
            {t('account.switch_off')}
          </Button>
        </>
      }
    >
      <p>{t('account.switch_off_text')}</p>
      <CodeForm id="remove-totp" codes={codes} />
    </Dialog>
  )
}

interface Codes {
  code: string
  setCode: (code: string) => void
  send: () => void
  isBusy: boolean
  error: string | undefined
}

function useCode(
  path: '/v1/session/totp/confirm' | '/v1/session/totp/remove',
  done: string,
  onClose: () => void,
): Codes {
  const [code, setCode] = useState('')
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const sending = useMutation({
    mutationFn: () => api.post(path, { body: { code: code.replaceAll(' ', '') } }),
    async onSuccess() {
      await refresh(queryClient, '/v1/session')
      toasts.done(done)
      onClose()
    },
  })
  const problems = problemsByField(sending.error)
  return {
    code,
    setCode,
    send: () => sending.mutate(),
    isBusy: sending.isPending,
    error: problems.code ? t('sign_in.code_wrong') : problems[''],
  }
}

function CodeForm({ id, codes }: { id: string; codes: Codes }) {
  return (
    <form
      id={id}
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        codes.send()
      }}
    >
      <TextField
        label={t('sign_in.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        value={codes.code}
        onChange={codes.setCode}
        error={codes.error}
      />
    </form>
  )
}
