import { Link } from '@tanstack/react-router'
import { useSlug } from '../../app/session.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { t } from '../../texts/texts.ts'

const places: readonly { name: 'campaign' | 'tracking' | 'brand' | 'people'; to: string; icon: IconName }[] = [
  { name: 'campaign', to: '/$slug/marketing/campaigns', icon: 'sparkle' },
  { name: 'tracking', to: '/$slug/connect', icon: 'truck' },
  { name: 'brand', to: '/$slug/settings/palette', icon: 'sun' },
  { name: 'people', to: '/$slug/settings/people', icon: 'person' },
]

/** Where a shop goes from here. */
export function NextStep({ hasOrders }: { hasOrders: boolean }) {
  const slug = useSlug()
  return (
    <>
      <p>{t(hasOrders ? 'connect.next_text' : 'connect.next_text_empty')}</p>
      <ul className="next-places">
        {places.map(({ name, to, icon }) => (
          <li key={name}>
            <Icon name={icon} />
            <div>
              <p className="strong">
                <Link to={to} params={{ slug }}>
                  {t(`connect.next_${name}`)}
                </Link>
              </p>
              <p className="soft">{t(`connect.next_${name}_text`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
