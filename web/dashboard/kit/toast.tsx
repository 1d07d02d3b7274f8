import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { wordsOf } from './problem.tsx'

interface Toast {
  id: number
  text: string
  isProblem: boolean
  undo: (() => void) | undefined
  shownMs: number
}

interface Toasts {
  /** Reports that something was done, and offers undo if that is possible; for a limited time, if given. */
  done(text: string, undo?: () => void, shownMs?: number): void
  /** Says that something went wrong that is not on the page itself. */
  failed(error: unknown): void
}

const ToastContext = createContext<Toasts>({ done() {}, failed() {} })

export function useToasts(): Toasts {
  return useContext(ToastContext)
}

/** Long enough to read it and to reach for undo. */
const usualMs = 8_000
const mostShown = 3

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const next = useRef(0)
  const add = useCallback((text: string, isProblem: boolean, undo?: () => void, shownMs = usualMs) => {
    next.current += 1
    const toast = { id: next.current, text, isProblem, undo, shownMs }
    setToasts((shown) => [...shown, toast].slice(-mostShown))
  }, [])
  const remove = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), [])
  const value = useMemo(
    () => ({
      done: (text: string, undo?: () => void, shownMs?: number) => add(text, false, undo, shownMs),
      failed: (error: unknown) => add(wordsOf(error), true),
    }),
    [add],
  )
  return (
    <ToastContext value={value}>
      {children}
      <section className="toasts" aria-label={t('kit.notices')} aria-live="polite">
        {toasts.map((toast) => (
          <ToastLine key={toast.id} toast={toast} onClose={remove} />
        ))}
      </section>
    </ToastContext>
  )
}

function ToastLine({ toast, onClose }: { toast: Toast; onClose: (id: number) => void }) {
  const { id, text, isProblem, undo, shownMs } = toast
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => onClose(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, isHeld, onClose, shownMs])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while it is read; every action is a button
    <div
      className={`toast ${isProblem ? 'wrong' : ''}`}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p className="grow">{text}</p>
      {undo && (
        <Button
          variant="quiet"
          isSmall
          icon="undo"
          onClick={() => {
            undo()
            onClose(id)
          }}
        >
          {t('kit.undo')}
        </Button>
      )}
      <Button variant="quiet" isSmall icon="close" isIconOnly onClick={() => onClose(id)}>
        {t('kit.close')}
      </Button>
    </div>
  )
}
