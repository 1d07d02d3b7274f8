import { integrationNames } from '../../adapters/marketing/registry.ts'
import { claimReasons, claimStatuses } from '../../claims/claims/schema.ts'
import { deliveryStatuses } from '../../delivery/log/schema.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'
import { flags, phases } from '../../platform/catalogue/catalogue.ts'
import { isUuid } from '../../platform/foundation/ids.ts'
import { type CampaignName, campaignFigures } from './campaign-figures.ts'
import type { CarrierFigures, DayFigures } from './day-figures.ts'
import { countsOf, quantileOf, round, sumOf } from './numbers.ts'
import { datesOf, type ReportPeriod } from './period.ts'
import type { PeriodFigures, Rate } from './schema.ts'

/** Endpoints and campaigns in figures, looked up on reading: they may have been renamed or deleted since. */
export interface Names {
  endpointIds: string[]
  /** Newest first. */
  campaigns: CampaignName[]
}

/** The figures of a period, from those of its days. */
export function summarize(period: ReportPeriod, days: Map<string, DayFigures>, names: Names): PeriodFigures {
  const dates = datesOf(period)
  const counted = dates.flatMap((date) => days.get(date) ?? [])
  const carriers = counted.flatMap((day) => day.carriers)
  const notifications = summarizeNotifications(counted, names.endpointIds)
  return {
    from: period.firstDay,
    to: period.lastDay,
    orders: {
      placed: sum(counted, (day) => day.orders.placed),
      nothing_to_send: sum(counted, (day) => day.orders.nothing_to_send),
      handed_over_without_tracking: sum(counted, (day) => day.orders.handed_over_without_tracking),
    },
    shipments: summarizeShipments(counted),
    deliveries: {
      delivered: sum(carriers, ({ delivered }) => delivered),
      failed_attempts: sum(counted, (day) => day.failed_attempts),
      transit_days: transitOf(carriers),
      windows: summarizeWindows(carriers),
    },
    rates: { on_time: onTimeRate(carriers), notifications: successRate(notifications) },
    carriers: summarizeCarriers(carriers),
    claims: summarizeClaims(counted),
    notifications,
    campaigns: campaignFigures(
      names.campaigns,
      counted.flatMap((day) => day.views),
      counted.flatMap((day) => day.attributed),
    ),
    days: dates.map((date) => ({
      date,
      orders: days.get(date)?.orders.placed ?? 0,
      deliveries: sum(days.get(date)?.carriers ?? [], ({ delivered }) => delivered),
    })),
  }
}

/** The campaigns that figures refer to, by id or by name. */
export function campaignsIn(days: Iterable<DayFigures>): { ids: string[]; names: string[] } {
  const ids = new Set<string>()
  const names = new Set<string>()
  for (const { views, attributed } of days) {
    for (const { subject_id } of views) ids.add(subject_id)
    for (const { campaign } of attributed) {
      if (campaign === null) continue
      names.add(campaign)
      if (isUuid(campaign)) ids.add(campaign)
    }
  }
  return { ids: [...ids], names: [...names] }
}

function sum<Item>(items: Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}

function summarizeShipments(days: DayFigures[]): PeriodFigures['shipments'] {
  const counted = days.flatMap((day) => day.shipments)
  const by = (name: 'phase' | 'flag') => counted.map((row) => ({ name: row[name], count: row.count }))
  return {
    created: sumOf(counted),
    waiting: sum(days, (day) => day.waiting),
    by_phase: countsOf(phases, by('phase')),
    by_flag: countsOf(flags, by('flag')),
  }
}

/** Lengths of journeys are counted in hours, so that each is right to half an hour, or 0.02 days. */
function transitOf(carriers: CarrierFigures[]): PeriodFigures['deliveries']['transit_days'] {
  const days = (share: number) => {
    const hours = quantileOf(
      carriers.map(({ transit }) => transit),
      share,
    )
    return hours === null ? null : round(hours / 24, 2)
  }
  return { median: days(0.5), p90: days(0.9) }
}

function summarizeWindows(carriers: CarrierFigures[]): PeriodFigures['deliveries']['windows'] {
  const [predicted, held] = [sum(carriers, (carrier) => carrier.predicted), sum(carriers, (carrier) => carrier.held)]
  return {
    predicted,
    early: sum(carriers, ({ early }) => early),
    held,
    late: sum(carriers, ({ late }) => late),
    held_share: rateOf(held, predicted).share,
  }
}

function rateOf(count: number, sample: number): Rate {
  return { count, sample, share: sample === 0 ? null : round(count / sample, 3) }
}

function onTimeRate(carriers: CarrierFigures[]): Rate {
  return rateOf(
    sum(carriers, ({ on_time }) => on_time),
    sum(carriers, ({ expected }) => expected),
  )
}

/** Of the deliveries that were attempted to the end, those that succeeded. */
function successRate({ webhooks, integrations }: PeriodFigures['notifications']): Rate {
  const delivered = webhooks.delivered + integrations.delivered
  return rateOf(delivered, delivered + webhooks.dead + integrations.dead)
}

const maxCarriers = 20

function summarizeCarriers(carriers: CarrierFigures[]): PeriodFigures['carriers'] {
  const byCarrier = new Map<string | null, CarrierFigures[]>()
  for (const day of carriers) byCarrier.set(day.carrier, [...(byCarrier.get(day.carrier) ?? []), day])
  return [...byCarrier]
    .map(([carrier_reference, days]) => ({
      carrier_reference,
      delivered: sum(days, ({ delivered }) => delivered),
      transit_days: transitOf(days),
      on_time: onTimeRate(days),
    }))
    .filter(({ delivered }) => delivered > 0)
    .sort(
      (left, right) =>
        right.delivered - left.delivered || (left.carrier_reference ?? '').localeCompare(right.carrier_reference ?? ''),
    )
    .slice(0, maxCarriers)
}

function summarizeClaims(days: DayFigures[]): PeriodFigures['claims'] {
  const counted = days.flatMap((day) => day.claims)
  const by = (name: 'reason' | 'status') => counted.map((row) => ({ name: row[name], count: row.count }))
  return {
    filed: sumOf(counted),
    by_reason: countsOf(claimReasons, by('reason')),
    by_status: countsOf(claimStatuses, by('status')),
  }
}

/** Deliveries to endpoints that were deleted do not count. */
function summarizeNotifications(days: DayFigures[], endpointIds: string[]): PeriodFigures['notifications'] {
  const counted = days.flatMap((day) => day.notifications)
  const to = (targets: readonly string[]) => {
    const known = new Set(targets)
    return counted.filter(({ target }) => known.has(target)).map(({ status, count }) => ({ name: status, count }))
  }
  return {
    webhooks: countsOf(deliveryStatuses, to(endpointIds)),
    integrations: countsOf(deliveryStatuses, to([...integrationNames, mailReceiver])),
  }
}
