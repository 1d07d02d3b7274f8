import * as Ariakit from '@ariakit/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'
import {
  MenuContext,
  type MenuItemProps,
  MenuLabel,
  type MenuParts,
  type MenuProps,
  menuButtonClass,
} from './menu-parts.tsx'

const parts: MenuParts = { Item, Line, Group }

/** A menu from its first use on, which opens it. */
export function OpenMenu(props: MenuProps) {
  const store = Ariakit.useMenuStore({ placement: 'bottom-end' })
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // As if this button had been pressed, and not the one it replaces: it gets the focus back.
    store.setDisclosureElement(button.current)
    button.current?.focus()
    store.show()
  }, [store])
  return (
    <MenuContext.Provider value={parts}>
      <Ariakit.MenuProvider store={store}>
        <Ariakit.MenuButton ref={button} className={menuButtonClass(props)}>
          <MenuLabel {...props} />
        </Ariakit.MenuButton>
        <Ariakit.Menu className="menu" gutter={4} overflowPadding={8} unmountOnHide autoFocusOnShow>
          {props.children}
        </Ariakit.Menu>
      </Ariakit.MenuProvider>
    </MenuContext.Provider>
  )
}

function Item({ icon, isDangerous = false, isDisabled = false, onSelect, children }: MenuItemProps) {
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

function Line() {
  return <Ariakit.MenuSeparator className="menu-line" />
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Ariakit.MenuGroup>
      <Ariakit.MenuGroupLabel className="menu-heading">{label}</Ariakit.MenuGroupLabel>
      {children}
    </Ariakit.MenuGroup>
  )
}
