import { choiceIn, type ListSearch, listSearch, type RawSearch, textIn } from '../../kit/list/search.ts'

export const campaignStatuses = ['active', 'scheduled', 'inactive', 'completed'] as const
export const promotionTypes = ['basic', 'product', 'banner'] as const
export const discountTypes = ['order', 'product', 'shipping'] as const
export const valueTypes = ['percentage', 'fixed_amount'] as const

const campaignSorts = ['name', '-name', 'start_date', '-start_date', 'end_date', '-end_date'] as const
const discountSorts = ['code', '-code', 'title', '-title', 'value', '-value'] as const
const announcementSorts = ['created_at', '-created_at', 'language', '-language', 'text', '-text'] as const

export interface CampaignSearch extends ListSearch {
  status?: (typeof campaignStatuses)[number] | undefined
  promotion_type?: (typeof promotionTypes)[number] | undefined
  segment?: string | undefined
  sort?: (typeof campaignSorts)[number] | undefined
}

export interface DiscountSearch extends ListSearch {
  type?: (typeof discountTypes)[number] | undefined
  value_type?: (typeof valueTypes)[number] | undefined
  sort?: (typeof discountSorts)[number] | undefined
}

export interface AnnouncementSearch extends ListSearch {
  language?: string | undefined
  sort?: (typeof announcementSorts)[number] | undefined
}

/** The state of each list in the address. */
export function campaignSearch(search: RawSearch): CampaignSearch {
  return {
    ...listSearch(search),
    status: choiceIn(search, 'status', campaignStatuses),
    promotion_type: choiceIn(search, 'promotion_type', promotionTypes),
    segment: textIn(search, 'segment'),
    sort: choiceIn(search, 'sort', campaignSorts),
  }
}

export function discountSearch(search: RawSearch): DiscountSearch {
  return {
    ...listSearch(search),
    type: choiceIn(search, 'type', discountTypes),
    value_type: choiceIn(search, 'value_type', valueTypes),
    sort: choiceIn(search, 'sort', discountSorts),
  }
}

/** Deals are in the order in which customers see them. */
export function dealSearch(search: RawSearch): ListSearch {
  const { q, page, columns } = listSearch(search)
  return { q, page, columns }
}

export function announcementSearch(search: RawSearch): AnnouncementSearch {
  return {
    ...listSearch(search),
    language: textIn(search, 'language'),
    sort: choiceIn(search, 'sort', announcementSorts),
  }
}

/** A new campaign may begin as a copy. */
export function copySearch(search: RawSearch): { copy?: string | undefined } {
  return { copy: textIn(search, 'copy') }
}
