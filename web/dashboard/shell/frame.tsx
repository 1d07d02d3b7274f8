import { Link, Outlet, useMatch, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { destinations } from '../app/navigation.ts'
import { mayActAs, useRole, useSession, useSlug } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icon.tsx'
import { t } from '../texts/texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { PasswordWarning } from './password-warning.tsx'
import { ShopMenu } from './shop-menu.tsx'
import { ShortcutSheet, useShortcuts } from './shortcuts.tsx'

const CommandPalette = lazy(() =>
  import('../screens/palette/palette.tsx').then(({ CommandPalette }) => ({ default: CommandPalette })),
)

export function Root() {
  return <Outlet />
}

/** What surrounds every page of somebody who is signed in: where they are, where they can go, and search everywhere. */
export function Frame() {
  const [open, setOpen] = useState<'menu' | 'palette' | 'shortcuts' | undefined>()
  const slug = useSlug()
  const close = () => setOpen(undefined)
  useShortcuts({ onPalette: () => slug && setOpen('palette'), onSheet: () => setOpen('shortcuts') })
  const place = useMatch({ strict: false, select: ({ pathname }) => pathname })
  // The drawer closes when a link in it was followed.
  useEffect(close, [place])
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {t('nav.skip')}
      </a>
      <header className="top-bar">
        <Button variant="quiet" icon="menu" isIconOnly className="menu-button" onClick={() => setOpen('menu')}>
          {t('nav.menu')}
        </Button>
        <ShopMenu />
        {slug === '' && <span className="grow" />}
        {slug !== '' && (
          <button type="button" className="palette-button" onClick={() => setOpen('palette')}>
            <Icon name="search" />
            <span className="palette-words truncate">{t('nav.search')}</span>
            <kbd>{isApple() ? '⌘ K' : t('nav.palette_key')}</kbd>
          </button>
        )}
        <AccountMenu onShortcuts={() => setOpen('shortcuts')} />
      </header>
      <nav className="side-bar" aria-label={t('nav.main')}>
        <Destinations />
      </nav>
      <Content />
      {open === 'menu' && (
        <Dialog title={t('nav.menu')} shape="drawer" onClose={close}>
          <nav aria-label={t('nav.main')}>
            <Destinations />
          </nav>
        </Dialog>
      )}
      {open === 'palette' && (
        <Suspense>
          <CommandPalette onClose={close} />
        </Suspense>
      )}
      {open === 'shortcuts' && <ShortcutSheet onClose={close} />}
    </div>
  )
}

/** Between the moment the address changes and the moment its page is there, what is shown is the page before. */
function Content() {
  const isOnTheWay = useRouterState({ select: ({ status }) => status === 'pending' })
  return (
    <main id="content" tabIndex={-1} aria-busy={isOnTheWay}>
      <PasswordWarning />
      <Outlet />
    </main>
  )
}

function Destinations() {
  const session = useSession()
  const slug = useSlug()
  const role = useRole()
  if (slug === '' || session.shops.length === 0) return null
  const mayUse = ({ needs }: { needs: typeof role }) => mayActAs(role, needs)
  return (
    <ul className="destinations">
      {destinations.filter(mayUse).map(({ to, label, icon, children = [] }) => (
        <li key={to}>
          <Link to={to} params={{ slug }} activeOptions={{ exact: to === '/$slug' }} className="destination">
            <Icon name={icon} />
            {t(label)}
          </Link>
          {children.length > 0 && (
            <ul className="below">
              {children.filter(mayUse).map((child) => (
                <li key={child.to}>
                  <Link to={child.to} params={{ slug }} className="destination">
                    {t(child.label)}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
