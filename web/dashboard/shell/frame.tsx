import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useMatch, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { api, refresh } from '../app/api.ts'
import { destinations } from '../app/navigation.ts'
import { mayActAs, sessionQuery, useRole, useSession, useSlug } from '../app/session.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { formatExactTime } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { Banner } from '../kit/problem.tsx'
import { useToasts } from '../kit/toast.tsx'
import { t } from '../texts/texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { ShortcutSheet, useShortcuts } from './shortcuts.tsx'

const CommandPalette = lazy(() =>
  import('../screens/command-palette/command-palette.tsx').then(({ CommandPalette }) => ({ default: CommandPalette })),
)

export function Root() {
  return <Outlet />
}

/** The frame of every page after sign-in: the current place, the navigation, and the search. */
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

/** From the change of the address until its page is there, the previous page is shown. */
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

/** On every page, until it is dismissed or the password is changed: somebody has entered it, and then wrong codes. */
function PasswordWarning() {
  // It is shown until the page changes when somebody has just signed out.
  const { data: session } = useQuery({ ...sessionQuery, enabled: false })
  const warning = session?.password_warning
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const dismiss = useMutation({
    mutationFn: () => api.delete('/v1/session/password-warning'),
    onSuccess: () => refresh(queryClient, '/v1/session'),
    onError: (error) => toasts.failed(error),
  })
  if (!warning) return null
  return (
    <Banner
      tone="wrong"
      title={t('account.warning_title')}
      action={
        <div className="row">
          <Button isBusy={dismiss.isPending} onClick={() => dismiss.mutate()}>
            {t('account.warning_dismiss')}
          </Button>
          <ButtonLink to="/account" variant="primary">
            {t('account.warning_change')}
          </ButtonLink>
        </div>
      }
    >
      {t('account.warning_text', { when: formatExactTime(warning.at), network: warning.network })}
    </Banner>
  )
}

/** The shop in view, and the way to another. */
function ShopMenu() {
  const { shops } = useSession()
  const slug = useSlug()
  const navigate = useNavigate()
  const shop = shops.find((one) => one.slug === slug)
  const name = shop?.name ?? (slug || 'Doorstep')
  if (shops.length < 2) return <p className="shop-name truncate">{name}</p>
  return (
    <Menu label={name} variant="quiet">
      {shops.map((one) => (
        <MenuItem
          key={one.slug}
          icon={one.slug === slug ? 'check' : undefined}
          onSelect={() => void navigate({ to: '/$slug', params: { slug: one.slug } })}
        >
          {one.name}
        </MenuItem>
      ))}
    </Menu>
  )
}
