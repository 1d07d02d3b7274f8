import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../app/api.ts'
import { applyScheme, chosenScheme, schemes } from '../app/scheme.ts'
import { sessionQuery, useSession } from '../app/session.ts'
import { Menu, MenuItem, MenuLine } from '../kit/menu.tsx'
import { useToasts } from '../kit/toast.tsx'
import { type Language, languages } from '../texts/language.ts'
import { chooseLanguage, language, t } from '../texts/texts.ts'

/** The menu for everything that belongs to the person and not to a shop. */
export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { name } = useSession()
  const [scheme, setScheme] = useState(chosenScheme)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const signOut = async () => {
    try {
      await api.delete('/v1/session')
    } catch (error) {
      toasts.failed(error)
      return
    }
    queryClient.clear()
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await navigate({ to: '/sign-in' })
  }
  const others = Object.entries(languages).filter(([tag]) => tag !== language())
  return (
    <Menu label={t('nav.account_of', { name })} icon="person" isIconOnly variant="quiet">
      <MenuItem icon="person" onSelect={() => void navigate({ to: '/account' })}>
        {name}
      </MenuItem>
      <MenuLine />
      {schemes.map((one) => (
        <MenuItem
          key={one}
          icon={one === scheme ? 'check' : 'sun'}
          onSelect={() => {
            applyScheme(one)
            setScheme(one)
          }}
        >
          {t(`nav.scheme_${one}`)}
        </MenuItem>
      ))}
      <MenuLine />
      {others.map(([tag, label]) => (
        <MenuItem key={tag} icon="globe" onSelect={() => chooseLanguage(tag as Language)}>
          {label}
        </MenuItem>
      ))}
      <MenuItem icon="bolt" onSelect={onShortcuts}>
        {t('nav.shortcuts')}
      </MenuItem>
      <MenuLine />
      <MenuItem icon="external" onSelect={() => void signOut()}>
        {t('nav.sign_out')}
      </MenuItem>
    </Menu>
  )
}
