import { type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export interface Step {
  name: string
  title: string
  isDone: boolean
  /** A summary below the title, shown while the step is closed. */
  summary?: ReactNode
  /** Something is wrong with it; its content says what. */
  isWrong?: boolean
  children: ReactNode
}

interface StepperProps {
  label: string
  steps: readonly Step[]
  /** The step that is open; the first that is not done by default. */
  open: string | undefined
  onOpen: (name: string | undefined) => void
}

/** Steps below each other, one of them open. Each can be opened again. The caller decides which are done. */
export function Stepper({ label, steps, open, onOpen }: StepperProps) {
  const current = steps.find((step) => !step.isDone) ?? steps.at(-1)
  const shown = steps.find((step) => step.name === open)?.name ?? current?.name
  const list = useRef<HTMLOListElement>(null)
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    // The button that finished the step before is gone. The focus of the keyboard goes on from here.
    if (document.activeElement === document.body) {
      list.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus({ preventScroll: true })
    }
  }, [shown])
  return (
    <ol ref={list} className="stepper" aria-label={label}>
      {steps.map((step, index) => (
        <StepItem
          key={step.name}
          step={step}
          number={index + 1}
          isCurrent={step.name === current?.name}
          isOpen={step.name === shown}
          onToggle={() => onOpen(step.name === shown ? undefined : step.name)}
          onNext={index + 1 < steps.length ? () => onOpen(steps[index + 1]?.name) : undefined}
        />
      ))}
    </ol>
  )
}

interface StepItemProps {
  step: Step
  number: number
  isCurrent: boolean
  isOpen: boolean
  onToggle: () => void
  onNext: (() => void) | undefined
}

function StepItem({ step, number, isCurrent, isOpen, onToggle, onNext }: StepItemProps) {
  const id = useId()
  const state = step.isWrong ? 'wrong' : step.isDone ? 'done' : isCurrent ? 'current' : 'later'
  return (
    <li className={`stepper-step ${state}`} aria-current={isCurrent ? 'step' : undefined}>
      <span className="stepper-mark number" aria-hidden="true">
        {step.isWrong ? '!' : step.isDone ? <Icon name="check" /> : number}
      </span>
      <div className="stepper-face">
        <h2>
          <button type="button" className="stepper-title" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
            <span className="unseen">{t('kit.step', { number })}</span> <span>{step.title}</span>
            <span className="unseen">{t(`kit.step_${state}`)}</span>
            <Icon name={isOpen ? 'up' : 'down'} />
          </button>
        </h2>
        {!isOpen && step.summary && <p className="soft">{step.summary}</p>}
        <div id={id} hidden={!isOpen} className="stepper-body stack">
          {isOpen && step.children}
          {isOpen && step.isDone && onNext && (
            <div className="row end">
              <Button onClick={onNext}>{t('kit.step_next')}</Button>
            </div>
          )}
        </div>
      </div>
    </li>
  )
}
