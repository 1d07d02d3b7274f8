import { useState } from 'react'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'

/** A value to take along, such as a new secret, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <section className="copy-field" aria-label={label}>
      <code className="grow">{value}</code>
      <CopyButton value={value} />
    </section>
  )
}

export function CopyButton({ value, isIconOnly = false }: { value: string; isIconOnly?: boolean }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <Button
      isSmall
      look={isIconOnly ? 'quiet' : 'secondary'}
      icon={isCopied ? 'check' : 'copy'}
      isIconOnly={isIconOnly}
      onClick={copy}
    >
      {isCopied ? t('kit.copied') : t('kit.copy')}
    </Button>
  )
}

/** Text as it was sent or received. Long ones scroll, and the keyboard can scroll them too. */
export function Code({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="code-block" aria-label={label} tabIndex={0}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
  )
}
