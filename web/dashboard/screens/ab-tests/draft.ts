import type { Schemas } from 'doorstep-client'

export interface CampaignChoice {
  uuid: string
  name: string
  segment: string
  promotion_type: string
}

export interface DraftVariant {
  id: string
  allocation: number
}

/** A test while it is made. Days are as their fields have them: YYYY-MM-DD. */
export interface AbTestDraft {
  name: string
  segment: string
  campaign_type: string
  variants: DraftVariant[]
  has_holdout: boolean
  holdout_percentage: string
  start_date: string
  end_date: string
}

/** Begins with the first segment and type that have two campaigns to compare. */
export function newDraft(campaigns: readonly CampaignChoice[]): AbTestDraft {
  const alike = (one: CampaignChoice) =>
    campaigns.filter(({ segment, promotion_type }) => segment === one.segment && promotion_type === one.promotion_type)
  const first = campaigns.find((campaign) => alike(campaign).length > 1) ?? campaigns[0]
  return {
    name: '',
    segment: first?.segment ?? 'default',
    campaign_type: first?.promotion_type ?? 'basic',
    variants: evenly((first ? alike(first) : []).slice(0, 2).map(({ uuid }) => ({ id: uuid, allocation: 0 }))),
    has_holdout: false,
    holdout_percentage: '10',
    start_date: '',
    end_date: '',
  }
}

/** The same share for each; the remainder goes to the first ones, so that the sum is 100. */
export function evenly(variants: readonly DraftVariant[]): DraftVariant[] {
  const each = Math.floor(100 / Math.max(1, variants.length))
  const rest = 100 - each * variants.length
  return variants.map(({ id }, index) => ({ id, allocation: each + (index < rest ? 1 : 0) }))
}

export function toCreation(draft: AbTestDraft): Schemas['AbTestCreation'] {
  return {
    name: draft.name.trim(),
    segment: draft.segment,
    campaign_type: draft.campaign_type,
    campaigns: draft.variants.map(({ id, allocation }) => ({ campaign_id: id, allocation })),
    has_holdout: draft.has_holdout,
    holdout_percentage: draft.has_holdout ? Number(draft.holdout_percentage) : null,
    start_date: draft.start_date === '' ? null : startOf(draft.start_date),
    end_date: draft.end_date === '' ? null : startOf(draft.end_date),
  }
}

/** The beginning of a day in the reader's time zone. */
function startOf(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}
