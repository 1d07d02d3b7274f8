import { useState } from 'react'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'

/** A value to take along, such as a new secret, with a button that copies it. */
export function CopyField({ label, value, shown = value }: { label: string; value: string; shown?: string }) {
  return (
    <section className="copy-field" aria-label={label}>
      <code className="grow">{shown}</code>
      <CopyButton value={value} />
    </section>
  )
}

/** Fields of another system's form: their names, the values to enter, and a button that copies each value. */
export function CopyTable({ label, rows }: { label: string; rows: readonly CopyRow[] }) {
  return (
    <section aria-label={label}>
      <dl className="copy-table">
        {rows.map(({ name, value, isCopied = true }) => (
          <div key={`${name} ${value}`}>
            <dt>{name}</dt>
            <dd>
              {isCopied ? <code>{value}</code> : <span>{value}</span>}
              {isCopied && <CopyButton value={value} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export interface CopyRow {
  name: string
  value: string
  /** False: it is chosen there, not pasted. */
  isCopied?: boolean
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
      variant={isIconOnly ? 'quiet' : 'secondary'}
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
