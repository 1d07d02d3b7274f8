import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { api, refresh } from '../../app/api.ts'
import { mayActAs, type Role, useMay, useRole, useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Card } from '../../kit/page.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import type { Attention } from './needs.tsx'

type Step = Attention['checklist']['steps'][number]['step']

/** The page for each step, and the role that it needs. */
const places: Record<Step, { to: LinkProps['to']; needs: Role }> = {
  orders: { to: '/$slug/connect', needs: 'admin' },
  tracking: { to: '/$slug/connect', needs: 'admin' },
  messages: { to: '/$slug/connect', needs: 'admin' },
  palette: { to: '/$slug/settings/palette', needs: 'admin' },
  colleague: { to: '/$slug/settings/people', needs: 'admin' },
}

/** The first steps of a new shop, until all are taken or somebody hides them. */
export function Checklist({ checklist: { steps } }: Pick<Attention, 'checklist'>) {
  const mayHide = useMay('editor')
  const done = steps.filter((step) => step.done).length
  return (
    <Card
      title={t('home.checklist')}
      aside={<span className="soft">{t('home.checklist_done', { count: done, all: steps.length })}</span>}
    >
      <progress className="steps-progress" max={steps.length} value={done} aria-label={t('home.checklist')} />
      <ol className="steps">
        {steps.map((step) => (
          <StepLine key={step.step} step={step.step} isDone={step.done} />
        ))}
      </ol>
      {mayHide && (
        <div className="row">
          <Hide />
        </div>
      )}
    </Card>
  )
}

function StepLine({ step, isDone }: { step: Step; isDone: boolean }) {
  const slug = useSlug()
  const role = useRole()
  const { to, needs } = places[step]
  const title = t(`home.step.${step}`)
  return (
    <li className={`step ${isDone ? 'done' : ''}`}>
      <span className="step-mark">{isDone && <Icon name="check" />}</span>
      <div>
        <p className="strong">
          {isDone || !mayActAs(role, needs) ? (
            title
          ) : (
            <Link to={to} params={{ slug } as never}>
              {title}
            </Link>
          )}
          {isDone && <span className="unseen"> {t('home.step_done')}</span>}
        </p>
        {!isDone && <p className="soft">{t(`home.step.${step}_how`)}</p>}
      </div>
    </li>
  )
}

function Hide() {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const { mutate, isPending } = useMutation({
    mutationFn: (dismissed: boolean) =>
      api.patch('/v1/shops/{slug}/attention/checklist', { params: { path: { slug } }, body: { dismissed } }),
    onSuccess: async (_reply, dismissed) => {
      if (dismissed) toasts.done(t('home.checklist_hidden'), () => mutate(false))
      await refresh(queryClient, '/v1/shops/{slug}/attention')
    },
    onError: toasts.failed,
  })
  return (
    <Button variant="quiet" isSmall isBusy={isPending} onClick={() => mutate(true)}>
      {t('home.checklist_hide')}
    </Button>
  )
}
