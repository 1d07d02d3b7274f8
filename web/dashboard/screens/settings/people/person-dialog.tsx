import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api, read, refresh } from '../../../app/api.ts'
import { useSession } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Confirm, Dialog } from '../../../kit/dialog.tsx'
import { TextField } from '../../../kit/field.tsx'
import { problemsByField, useDraft } from '../../../kit/form.tsx'
import { formatTime } from '../../../kit/format.ts'
import { Facts } from '../../../kit/page.tsx'
import { Banner, Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { LinkDialog } from './invite-dialog.tsx'
import { type Grant, RolesField } from './roles-field.tsx'

type Person = Schemas['Person']

interface PersonDialogProps {
  uuid: string
  /** From the list, if it is there. */
  known: Person | undefined
  onClose: () => void
}

/** One person: what they may do, and what can be done about their account. */
export function PersonDialog({ uuid, known, onClose }: PersonDialogProps) {
  const person = useQuery({
    ...read('/v1/people/{uuid}', { params: { path: { uuid } } }),
    ...(known ? { placeholderData: known } : {}),
  })
  if (person.data) return <Opened person={person.data} onClose={onClose} />
  return (
    <Dialog title={t('people.person')} onClose={onClose}>
      {person.isError ? (
        <Problem error={person.error} retry={() => void person.refetch()} />
      ) : (
        <SkeletonLines count={4} />
      )}
    </Dialog>
  )
}

type Step = 'edit' | 'remove' | 'factor'

function Opened({ person, onClose }: { person: Person; onClose: () => void }) {
  const [step, setStep] = useState<Step>('edit')
  const { email } = useSession()
  const reset = useMutation({
    mutationFn: () => api.post('/v1/people/{uuid}/reset', { params: { path: { uuid: person.uuid } } }),
    onSuccess: () => refresh(queryClient, '/v1/people'),
  })
  const queryClient = useQueryClient()
  const back = () => setStep('edit')
  if (reset.data) return <LinkDialog link={reset.data} onClose={onClose} />
  if (step === 'remove') return <Removal person={person} onClose={onClose} onBack={back} />
  if (step === 'factor') return <FactorRemoval person={person} onBack={back} />
  return (
    <Editing
      person={person}
      isOneself={person.email === email}
      onClose={onClose}
      onStep={setStep}
      reset={{ send: () => reset.mutate(), isBusy: reset.isPending, error: reset.error }}
    />
  )
}

interface EditingProps {
  person: Person
  isOneself: boolean
  onClose: () => void
  onStep: (step: Step) => void
  reset: { send: () => void; isBusy: boolean; error: unknown }
}

function Editing({ person, isOneself, onClose, onStep, reset }: EditingProps) {
  const draft = useDraft<{ name: string; shops: Grant[] }>({ name: person.name, shops: person.shops })
  const change = useChange(person, onClose)
  const mayChange = person.can_manage && !isOneself
  const problems = problemsByField(change.error)
  return (
    <Dialog
      title={person.name || person.email}
      onClose={onClose}
      closesLightly={!draft.isChanged}
      actions={
        mayChange && (
          <>
            <Button onClick={onClose}>{t('kit.cancel')}</Button>
            <Button
              variant="primary"
              type="submit"
              form="person"
              isBusy={change.isPending}
              disabled={!draft.isChanged || draft.value.shops.length === 0}
            >
              {t('kit.save')}
            </Button>
          </>
        )
      }
    >
      {problems[''] && <Banner tone="wrong" title={problems['']} />}
      <PersonFacts person={person} />
      {isOneself && <Banner title={t('people.oneself')} />}
      {!person.can_manage && <Banner tone="late" title={t('people.not_yours')} />}
      {mayChange && (
        <form
          id="person"
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            change.mutate(changesOf(person, draft.value))
          }}
        >
          <TextField
            label={t('people.name')}
            autoComplete="off"
            value={draft.value.name}
            onChange={(name) => draft.set({ name })}
            error={problems.name && t('invitation.name_missing')}
          />
          <RolesField grants={draft.value.shops} onChange={(shops) => draft.set({ shops })} />
          {draft.value.shops.length === 0 && <p className="field-error">{t('people.role_missing')}</p>}
        </form>
      )}
      {!isOneself && <AccountActions person={person} reset={reset} onStep={onStep} onClose={onClose} />}
    </Dialog>
  )
}

function PersonFacts({ person }: { person: Person }) {
  const link = person.open_link
  return (
    <div className="person-facts">
      <Facts
        facts={[
          [t('people.email'), person.email],
          [t('people.status'), t(`people.${person.status}`)],
          [t('people.last_sign_in'), person.last_sign_in_at && <RelativeTime at={person.last_sign_in_at} />],
          [
            t('people.sessions'),
            person.session_count ? t('people.session_count', { count: person.session_count }) : null,
          ],
          [t('people.open_link'), link && t(`people.${link.kind}_until`, { time: formatTime(link.expires_at) })],
        ]}
      />
    </div>
  )
}

/** Actions on the account, apart from its roles. */
function AccountActions({ person, reset, onStep, onClose }: Omit<EditingProps, 'isOneself'>) {
  const change = useChange(person, onClose)
  const isDisabled = person.status === 'disabled'
  const hasLink = person.signs_in_with === 'password' && !isDisabled
  return (
    <section className="stack person-actions" aria-label={t('people.account')}>
      {reset.error !== null && <Problem error={reset.error} />}
      <div className="row">
        {person.can_manage && hasLink && (
          <Button icon="key" isBusy={reset.isBusy} onClick={reset.send}>
            {person.status === 'invited' ? t('people.invite_again') : t('people.reset')}
          </Button>
        )}
        {person.can_manage && person.two_factor && (
          <Button onClick={() => onStep('factor')}>{t('people.factor_off')}</Button>
        )}
        {person.can_manage && (
          <Button isBusy={change.isPending} onClick={() => change.mutate({ is_disabled: !isDisabled })}>
            {isDisabled ? t('people.enable') : t('people.disable')}
          </Button>
        )}
        <Button variant="danger" icon="trash" onClick={() => onStep('remove')}>
          {person.can_manage ? t('people.remove') : t('people.remove_here')}
        </Button>
      </div>
    </section>
  )
}

/** Saves, reports it, and offers to take it back. */
function useChange(person: Person, onClose: () => void) {
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const path = { uuid: person.uuid }
  const send = (body: Schemas['PersonUpdate']) => api.patch('/v1/people/{uuid}', { params: { path }, body })
  const undo = async () => {
    try {
      await send({
        shops: person.shops,
        is_disabled: person.status === 'disabled',
        ...(person.name ? { name: person.name } : {}),
      })
      await refresh(queryClient, '/v1/people')
    } catch (error) {
      toasts.failed(error)
    }
  }
  return useMutation({
    mutationFn: send,
    async onSuccess(_reply, body) {
      await refresh(queryClient, '/v1/people')
      const words = body.is_disabled ? t('people.disabled_done', { count: person.session_count }) : t('kit.saved')
      toasts.done(words, body.two_factor === false ? undefined : () => void undo())
      onClose()
    },
  })
}

function changesOf(person: Person, { name, shops }: { name: string; shops: Grant[] }): Schemas['PersonUpdate'] {
  return {
    ...(name === person.name ? {} : { name }),
    ...(JSON.stringify(shops) === JSON.stringify(person.shops) ? {} : { shops }),
  }
}

/** Shows the loss in numbers. */
function Removal({ person, onClose, onBack }: { person: Person; onClose: () => void; onBack: () => void }) {
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const remove = useMutation({
    mutationFn: () => api.delete('/v1/people/{uuid}', { params: { path: { uuid: person.uuid } } }),
    async onSuccess({ is_deleted }) {
      await refresh(queryClient, '/v1/people')
      toasts.done(t(is_deleted ? 'people.removed' : 'people.removed_here', { name: person.name || person.email }))
      onClose()
    },
  })
  const name = person.name || person.email
  return (
    <Confirm
      title={t('people.remove_title', { name })}
      action={person.can_manage ? t('people.remove') : t('people.remove_here')}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onBack}
    >
      {remove.isError && <Problem error={remove.error} />}
      <ul className="plain-list">
        <li>{t('people.remove_shops', { count: person.shops.length })}</li>
        {person.can_manage && person.session_count > 0 && (
          <li>{t('people.remove_sessions', { count: person.session_count })}</li>
        )}
        <li>{person.can_manage ? t('people.remove_keys') : t('people.remove_elsewhere')}</li>
      </ul>
    </Confirm>
  )
}

function FactorRemoval({ person, onBack }: { person: Person; onBack: () => void }) {
  const change = useChange(person, onBack)
  return (
    <Confirm
      title={t('people.factor_title')}
      action={t('people.factor_off')}
      isBusy={change.isPending}
      onConfirm={() => change.mutate({ two_factor: false })}
      onClose={onBack}
    >
      {change.isError && <Problem error={change.error} />}
      <p>{t('people.factor_text', { name: person.name || person.email })}</p>
    </Confirm>
  )
}
