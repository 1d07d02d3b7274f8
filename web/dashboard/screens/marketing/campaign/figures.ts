import { useQuery } from '@tanstack/react-query'
import { read, readList } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { formatNumber, formatShare } from '../../../kit/format.ts'
import { t } from '../../../texts/texts.ts'
import { campaignFiguresCall, openTestsCall } from '../calls.ts'

export interface CampaignFigures {
  exposures: number
  clicks: number
}

/** How campaigns did in the last 30 days, by id. Undefined while it is loading. */
export function useCampaignFigures(): ReadonlyMap<string, CampaignFigures> | undefined {
  const slug = useSlug()
  const { data } = useQuery(read(...campaignFiguresCall(slug)))
  return data && new Map(data.campaigns.campaigns.map((figures) => [figures.campaign_id, figures]))
}

/** A rate of fewer says nothing. */
const enoughViews = 10

/** "4.2 % of 1,240 views". */
export function clickRate({ exposures, clicks }: CampaignFigures): string {
  if (exposures < enoughViews) return t('campaigns.too_few_views')
  return t('campaigns.rate', { rate: formatShare(clicks / exposures), views: formatNumber(exposures) })
}

export interface OpenTest {
  name: string
  status: 'scheduled' | 'running' | 'completed'
}

/** The A/B test that compares a campaign now or next, by the campaign's id. */
export function useOpenTests(): ReadonlyMap<string, OpenTest> {
  const slug = useSlug()
  const { data } = useQuery(readList(...openTestsCall(slug)))
  const open = (data?.rows ?? []).filter(({ status }) => status !== 'completed')
  return new Map(
    open.flatMap(({ name, status, campaigns }) => campaigns.map(({ campaign_id }) => [campaign_id, { name, status }])),
  )
}
