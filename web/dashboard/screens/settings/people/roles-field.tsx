import { mayActAs, type Role, roles, useSession, useSlug } from '../../../app/session.ts'
import { type Choice, SelectField } from '../../../kit/field.tsx'
import { t } from '../../../texts/texts.ts'

/** A role in a shop; `*` stands for all shops. */
export interface Grant {
  shop_slug: string
  role: Role
}

/** The higher one of the role here and the one for all shops. */
export function roleHere(grants: readonly Grant[], slug: string): Role {
  const held = grants.filter(({ shop_slug }) => shop_slug === slug || shop_slug === '*').map(({ role }) => role)
  return held.reduce((one, other) => (mayActAs(one, other) ? one : other), 'viewer' as Role)
}

interface RolesFieldProps {
  grants: readonly Grant[]
  onChange: (grants: Grant[]) => void
}

/** The role in this shop, in the other shops that the reader administers, and for superadmins in all of them. */
export function RolesField({ grants, onChange }: RolesFieldProps) {
  const session = useSession()
  const slug = useSlug()
  const here = session.shops.find((shop) => shop.slug === slug)
  const others = session.shops.filter((shop) => shop.slug !== slug && mayActAs(shop.role, 'admin'))
  const set = (shop: string, role: Role | '') =>
    onChange([
      ...grants.filter(({ shop_slug }) => shop_slug !== shop),
      ...(role === '' ? [] : [{ shop_slug: shop, role }]),
    ])
  const select = (shop: string, label: string, help?: string) => (
    <SelectField
      key={shop}
      label={label}
      help={help}
      value={grants.find(({ shop_slug }) => shop_slug === shop)?.role ?? ''}
      choices={choicesFor(shop)}
      onChange={(role) => set(shop, role)}
    />
  )
  const chosen = others.filter((shop) => grants.some(({ shop_slug }) => shop_slug === shop.slug)).length
  return (
    <div className="stack">
      {select(slug, t('people.role_in', { shop: here?.name ?? slug }), t('people.role_help'))}
      {session.everywhere === 'superadmin' && select('*', t('people.all_shops'), t('people.all_shops_help'))}
      {others.length > 0 && (
        <details className="other-shops" open={chosen > 0}>
          <summary>{t('people.other_shops', { count: others.length })}</summary>
          <div className="stack">{others.map((shop) => select(shop.slug, shop.name))}</div>
        </details>
      )}
    </div>
  )
}

function choicesFor(shop: string): Choice<Role | ''>[] {
  const given = roles.filter((role) => shop === '*' || role !== 'superadmin')
  return [
    { value: '', label: t('people.no_access') },
    ...given.map((role) => ({ value: role, label: `${t(`role.${role}`)}: ${t(`people.may.${role}`)}` })),
  ]
}
