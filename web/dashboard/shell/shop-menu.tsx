import { useNavigate } from '@tanstack/react-router'
import { useSession, useSlug } from '../app/session.ts'
import { Menu, MenuItem } from '../kit/menu.tsx'

/** The shop in view, and the way to another. */
export function ShopMenu() {
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
