import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ApiError } from 'doorstep-client'
import { useEffect, useRef } from 'react'
import { readList } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { fromLocalTime } from '../../../kit/local-time.ts'
import { Banner, wordsOf } from '../../../kit/problem.tsx'
import { rich, t } from '../../../texts/texts.ts'
import type { Campaign, CampaignDraft } from './draft.ts'

interface ConflictProps {
  error: ApiError
  draft: CampaignDraft
  ownId: string | undefined
}

/** Another campaign is in the way: says which one, and what to do. */
export function Conflict({ error, draft, ownId }: ConflictProps) {
  const slug = useSlug()
  const isSameName = error.key === 'campaign_exists'
  const filter = isSameName
    ? { name: draft.name.trim() }
    : { segment: draft.segment.trim(), promotion_type: draft.promotion_type, enabled: true }
  const { data } = useQuery(
    readList('/v1/shops/{slug}/campaigns', { params: { path: { slug }, query: { ...filter, per_page: 100 } } }),
  )
  const other = data?.rows.find((campaign) => campaign.uuid !== ownId && (isSameName || overlaps(campaign, draft)))
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) banner.current?.focus()
  }, [error])
  const link = other && (
    <Link to="/$slug/marketing/campaigns/$uuid" params={{ slug, uuid: other.uuid }}>
      {other.name}
    </Link>
  )
  return (
    <div ref={banner} tabIndex={-1}>
      <Banner tone="wrong" title={t('kit.not_saved')}>
        <p>
          {link === undefined
            ? wordsOf(error)
            : rich(isSameName ? 'campaigns.same_name' : 'campaigns.same_place', { campaign: link })}
        </p>
      </Banner>
    </div>
  )
}

function overlaps({ start_date, end_date }: Campaign, draft: CampaignDraft): boolean {
  const starts = fromLocalTime(draft.start_date) ?? new Date().toISOString()
  const ends = fromLocalTime(draft.end_date)
  return (ends === undefined || start_date < ends) && (end_date === null || end_date > starts)
}
