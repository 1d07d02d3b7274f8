import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { t } from '../texts/texts.ts'
import { Icon, type IconName } from './icon.tsx'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'

interface Appearance {
  variant?: Variant
  icon?: IconName
  /** Only the icon is shown; the words are for screen readers and the tooltip. */
  isIconOnly?: boolean
  isSmall?: boolean
}

interface ButtonProps extends Appearance, ButtonHTMLAttributes<HTMLButtonElement> {
  /** It works at this moment: it cannot be pressed again, and is announced as busy. */
  isBusy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button(props: ButtonProps) {
  const { variant, icon, isIconOnly = false, isSmall, isBusy = false, children, className, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ variant, isIconOnly, isSmall }, className)}
      aria-disabled={isBusy || rest.disabled || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
    >
      <Face icon={icon} isIconOnly={isIconOnly}>
        {children}
      </Face>
      {isBusy && <span className="unseen">{t('kit.working')}</span>}
      {isBusy && <span className="busy" aria-hidden="true" />}
    </button>
  )
}

interface AnchorProps extends Appearance, AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>
}

/** A link that looks like a button: it leads somewhere and changes nothing. */
export function ButtonAnchor(props: AnchorProps) {
  const { variant, icon, isIconOnly = false, isSmall, children, className, ...rest } = props
  return (
    <a {...rest} className={classOf({ variant, isIconOnly, isSmall }, className)}>
      <Face icon={icon} isIconOnly={isIconOnly}>
        {children}
      </Face>
    </a>
  )
}

/** The same, to a page of the dashboard. */
export const ButtonLink = createLink(ButtonAnchor)

function Face({
  icon,
  isIconOnly,
  children,
}: {
  icon: IconName | undefined
  isIconOnly: boolean
  children: ReactNode
}) {
  return (
    <>
      {icon && <Icon name={icon} />}
      <span className={isIconOnly ? 'unseen' : undefined}>{children}</span>
    </>
  )
}

function classOf({ variant = 'secondary', isIconOnly, isSmall }: Appearance, more: string | undefined): string {
  return ['button', variant, isIconOnly && 'icon-only', isSmall && 'small-button', more].filter(Boolean).join(' ')
}
