import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { Need } from './need.tsx'

const shown = 3

/** Open claims, the oldest first: their customers wait. */
export function Claims({ count }: { count: number }) {
  const slug = useSlug()
  const query = { status: 'pending', sort: 'created_at', per_page: shown } as const
  const { data } = useQuery({
    ...read('/v1/shops/{slug}/claims', { params: { path: { slug }, query } }),
    refetchInterval: 3 * refreshMs,
  })
  return (
    <Need icon="claim" title={t('home.claims_waiting', { count })}>
      {data ? (
        <ul className="need-rows" data-list>
          {data.claims.map((claim) => (
            <li key={claim.uuid} className="need-row">
              <div className="grow">
                <p>
                  <Link to="/$slug/claims/$uuid" params={{ slug, uuid: claim.uuid }} className="strong">
                    {t(`home.reason.${claim.reason}`)}
                  </Link>
                </p>
                <p className="soft">{rich('home.filed', { time: <RelativeTime at={claim.created_at} /> })}</p>
              </div>
            </li>
          ))}
          {count > data.claims.length && data.claims.length > 0 && (
            <li className="need-row">
              <Link to="/$slug/claims" params={{ slug }}>
                {t('home.and_more', { count: count - data.claims.length })}
              </Link>
            </li>
          )}
        </ul>
      ) : (
        <SkeletonLines count={2} />
      )}
    </Need>
  )
}
