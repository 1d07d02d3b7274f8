import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'

interface DialogProps {
  title: string
  children: ReactNode
  /** The actions at the bottom; the last one is the main one. */
  actions?: ReactNode
  onClose: () => void
  /** A drawer slides in from the side and is as high as the window. */
  shape?: 'box' | 'wide' | 'drawer' | 'full'
  onKeyDown?: (event: KeyboardEvent) => void
  /** False: closing it with Escape or a click beside it would lose typed text. */
  closesLightly?: boolean
}

/** A modal dialog. It is open as long as it is rendered; the browser traps the focus and gives it back. */
export function Dialog(props: DialogProps) {
  const { title, children, actions, onClose, onKeyDown, shape = 'box', closesLightly = true } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`dialog ${shape}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (closesLightly) onClose()
      }}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => {
        if (closesLightly && event.target === dialog.current) onClose()
      }}
    >
      <div className="dialog-face">
        <header className="dialog-title">
          <h2 id={titleId}>{title}</h2>
          <Button variant="quiet" icon="close" isIconOnly onClick={onClose}>
            {t('kit.close')}
          </Button>
        </header>
        <div className="dialog-body stack">{children}</div>
        {actions && <footer className="dialog-actions row end">{actions}</footer>}
      </div>
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  /** The consequences, in numbers. */
  children: ReactNode
  action: string
  /** The label of the other button, if "Cancel" could be read as the action itself. */
  cancelLabel?: string
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an action that cannot be undone. If it can be undone, do it and offer undo instead. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, cancelLabel = t('kit.cancel'), isBusy = false, onConfirm, onClose } = props
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{cancelLabel}</Button>
          <Button variant="danger" isBusy={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
