import { useEffect, useRef } from 'react'
import { Dialog } from '../kit/dialog.tsx'
import { isTyping } from '../kit/list/table.tsx'
import { type TextKey, t } from '../texts/texts.ts'

interface Handlers {
  onPalette: () => void
  onSheet: () => void
}

/** The keys that work on every page. */
export function useShortcuts(handlers: Handlers): void {
  const current = useRef(handlers)
  current.current = handlers
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        current.current.onPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isDialogOpen()) return
      if (event.key === '?') current.current.onSheet()
      if (event.key === '/') focusSearch(event, current.current.onPalette)
      if (event.key === 'j') moveInList(1)
      if (event.key === 'k') moveInList(-1)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** The page's own search box; on pages without one, the search over everything. */
function focusSearch(event: KeyboardEvent, onPalette: () => void): void {
  event.preventDefault()
  const box = document.querySelector<HTMLInputElement>('main [data-search]')
  if (box) box.focus()
  else onPalette()
}

/** Moves the focus between the links of a list's rows; Enter then opens the row, as for every link. */
function moveInList(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main [data-list] > * a:first-of-type')]
  const firstOfRows = links.filter((link) => link === link.closest('[data-list] > *')?.querySelector('a'))
  const row = document.activeElement?.closest('[data-list] > *')
  const at = firstOfRows.findIndex((link) => row?.contains(link))
  const next = firstOfRows[at === -1 ? 0 : at + step]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}

const shortcuts: readonly (readonly [keys: string, words: TextKey])[] = [
  ['Ctrl K / ⌘ K', 'shortcuts.palette'],
  ['/', 'shortcuts.search'],
  ['J / K', 'shortcuts.rows'],
  ['Enter', 'shortcuts.open'],
  ['X', 'shortcuts.choose'],
  ['A / R / C', 'shortcuts.claims'],
  ['Esc', 'shortcuts.close'],
  ['?', 'shortcuts.sheet'],
]

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('nav.shortcuts')} onClose={onClose}>
      <dl className="shortcuts">
        {shortcuts.map(([keys, words]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{t(words)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
