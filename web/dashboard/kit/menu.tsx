import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type MenuItemProps, MenuLabel, type MenuProps, menuButtonClass, useMenuParts } from './menu-parts.tsx'

// Every page has menus and few are opened. The code that opens them is a quarter of a first load, so it loads later.
const loadOpenMenu = () => import('./open-menu.tsx').then(({ OpenMenu }) => ({ default: OpenMenu }))
const OpenMenu = lazy(loadOpenMenu)

/** A button that opens a list of actions. */
export function Menu(props: MenuProps) {
  const [isUsed, setIsUsed] = useState(false)
  const prepare = () => void loadOpenMenu()
  const button = (
    <button
      type="button"
      className={menuButtonClass(props)}
      aria-haspopup="menu"
      aria-expanded="false"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => setIsUsed(true)}
    >
      <MenuLabel {...props} />
    </button>
  )
  if (!isUsed) return button
  return (
    <Suspense fallback={button}>
      <OpenMenu {...props} />
    </Suspense>
  )
}

export function MenuItem(props: MenuItemProps) {
  const { Item } = useMenuParts()
  return <Item {...props} />
}

export function MenuLine() {
  const { Line } = useMenuParts()
  return <Line />
}

/** Items under a heading. */
export function MenuGroup(props: { label: string; children: ReactNode }) {
  const { Group } = useMenuParts()
  return <Group {...props} />
}
