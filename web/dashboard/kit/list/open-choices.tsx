import * as Ariakit from '@ariakit/react'
import { useEffect, useRef } from 'react'
import type { ChoicesProps } from './choices-props.ts'

/** The choices from their first use on, which opens them. */
export function OpenChoices({ className, button, choices, chosen, onChange, isSingle = false }: ChoicesProps) {
  const store = Ariakit.useMenuStore<{ chosen: string | string[] }>({
    values: { chosen: isSingle ? (chosen[0] ?? '') : [...chosen] },
    setValues: (values) =>
      onChange(choices.map(({ value }) => value).filter((value) => [values.chosen].flat().includes(value))),
  })
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // As if this button had been pressed, and not the one it replaces: it gets the focus back.
    store.setDisclosureElement(opener.current)
    opener.current?.focus()
    store.show()
  }, [store])
  const Item = isSingle ? Ariakit.MenuItemRadio : Ariakit.MenuItemCheckbox
  return (
    <Ariakit.MenuProvider store={store}>
      <Ariakit.MenuButton ref={opener} className={className}>
        {button}
      </Ariakit.MenuButton>
      <Ariakit.Menu className="menu" gutter={4} overflowPadding={8} unmountOnHide autoFocusOnShow>
        {choices.map(({ value, label }) => (
          <Item key={value} name="chosen" value={value} className="menu-item" hideOnClick={isSingle}>
            <Ariakit.MenuItemCheck />
            {label}
          </Item>
        ))}
      </Ariakit.Menu>
    </Ariakit.MenuProvider>
  )
}
