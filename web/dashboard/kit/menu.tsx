import * as Ariakit from '@ariakit/react'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface MenuProps {
  label: string
  icon?: IconName
  /** Only the icon is shown. */
  isIconOnly?: boolean
  look?: 'secondary' | 'quiet'
  children: ReactNode
}

/** A button that opens a list of actions. */
export function Menu({ label, icon, isIconOnly = false, look = 'secondary', children }: MenuProps) {
  return (
    <Ariakit.MenuProvider placement="bottom-end">
      <Ariakit.MenuButton className={`button ${look} ${isIconOnly ? 'icon-only' : ''}`}>
        {icon && <Icon name={icon} />}
        <span className={isIconOnly ? 'unseen' : undefined}>{label}</span>
        {!isIconOnly && <Icon name="down" />}
      </Ariakit.MenuButton>
      <Ariakit.Menu className="menu" gutter={4} overflowPadding={8} unmountOnHide>
        {children}
      </Ariakit.Menu>
    </Ariakit.MenuProvider>
  )
}

interface MenuItemProps {
  icon?: IconName
  isDangerous?: boolean
  isDisabled?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, isDangerous = false, isDisabled = false, onSelect, children }: MenuItemProps) {
  return (
    <Ariakit.MenuItem
      className={`menu-item ${isDangerous ? 'dangerous' : ''}`}
      disabled={isDisabled}
      onClick={onSelect}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </Ariakit.MenuItem>
  )
}

export function MenuLine() {
  return <Ariakit.MenuSeparator className="menu-line" />
}

/** Items under a heading. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Ariakit.MenuGroup>
      <Ariakit.MenuGroupLabel className="menu-heading">{label}</Ariakit.MenuGroupLabel>
      {children}
    </Ariakit.MenuGroup>
  )
}
