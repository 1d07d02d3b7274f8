import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import { Icon, type IconName } from './icon.tsx'

export interface MenuProps {
  label: string
  icon?: IconName
  /** Only the icon is shown. */
  isIconOnly?: boolean
  variant?: 'secondary' | 'quiet'
  children: ReactNode
}

export interface MenuItemProps {
  icon?: IconName
  isDangerous?: boolean
  isDisabled?: boolean
  onSelect: () => void
  children: ReactNode
}

/** The components of an open menu. */
export interface MenuParts {
  Item: ComponentType<MenuItemProps>
  Line: ComponentType
  Group: ComponentType<{ label: string; children: ReactNode }>
}

export const MenuContext = createContext<MenuParts | undefined>(undefined)

export function menuButtonClass({ variant = 'secondary', isIconOnly = false }: MenuProps): string {
  return `button ${variant} ${isIconOnly ? 'icon-only' : ''}`
}

export function MenuLabel({ label, icon, isIconOnly = false }: MenuProps) {
  return (
    <>
      {icon && <Icon name={icon} />}
      <span className={isIconOnly ? 'unseen' : undefined}>{label}</span>
      {!isIconOnly && <Icon name="down" />}
    </>
  )
}

export function useMenuParts(): MenuParts {
  const parts = useContext(MenuContext)
  if (parts === undefined) throw new Error('This belongs into a menu.')
  return parts
}
