import { countLimit, type DigestView, type RenderedTeamMail } from '../../team-mail/view.ts'
import { type Block, button, type Fact, facts, layOut, links, paragraph, reasonOf, subheading } from './layout.ts'
import { localeOf, type Words, wordsOf } from './texts.ts'

export function renderDigest(view: DigestView): RenderedTeamMail {
  const words = wordsOf(view.language)
  const { exceptions, claims, shopName: shop } = view
  const date = dayFormat(view, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const short = dayFormat(view, { day: 'numeric', month: 'long' })
  const range = { from: short(view.from), to: short(view.to) }
  return layOut({
    ...view,
    subject:
      view.period === 'daily'
        ? words('digest.subject.daily', { shop, date: short(view.to) })
        : words('digest.subject.weekly', { shop, ...range }),
    preheader: words('digest.preheader', {
      exceptions: words('digest.exceptions.sum', { count: exceptions.open }),
      claims: words('digest.claims.sum', { count: claims.waiting }),
    }),
    heading: words(`digest.heading.${view.period}`, { shop }),
    blocks: [
      paragraph(view.period === 'daily' ? date(view.to) : words('digest.range', range), { isSoft: true }),
      facts(factsOf(view, words)),
      ...parcelsOf(view, words),
      mainButton(view, words),
    ],
    ...reasonOf(view, words),
  })
}

function factsOf(view: DigestView, words: Words): Fact[] {
  const { delivered, deliveredBefore, onTime, exceptions, claims, withdrawals } = view
  const percent = (rate: number) =>
    rate.toLocaleString(localeOf(view.language), { style: 'percent', maximumFractionDigits: 1 })
  return [
    {
      label: words('digest.delivered'),
      value: numberIn(view, delivered),
      notes: deliveredBefore === null ? [] : [words('digest.delivered.before', { count: deliveredBefore })],
    },
    {
      label: words('digest.on_time'),
      value: onTime === null ? '–' : percent(onTime.rate),
      notes:
        onTime === null
          ? [words('digest.on_time.none')]
          : [
              ...(onTime.target
                ? [words(`digest.on_time.target.${onTime.target.unit}`, { count: onTime.target.days })]
                : []),
              ...(onTime.before === null ? [] : [words('digest.on_time.before', { rate: percent(onTime.before) })]),
            ],
    },
    {
      label: words('digest.exceptions'),
      value: limited(view, exceptions.open),
      url: exceptions.url,
      notes:
        exceptions.open === 0
          ? []
          : [
              newOnes(view, words),
              ...exceptions.kinds.map(({ kind, count }) => `${words(`kind.${kind}`)}: ${limited(view, count)}`),
            ],
      isUrgent: exceptions.new > 0,
    },
    {
      label: words('digest.claims'),
      value: limited(view, claims.waiting),
      url: claims.url,
      notes: claims.waiting === 0 ? [] : [oldest(claims.oldestDays, words)],
    },
    ...(withdrawals.waiting === 0
      ? []
      : [
          {
            label: words('digest.withdrawals'),
            value: limited(view, withdrawals.waiting),
            url: withdrawals.url,
            notes: [],
            isUrgent: true,
          },
        ]),
  ]
}

function newOnes({ exceptions }: DigestView, words: Words): string {
  return exceptions.new === 0
    ? words('digest.exceptions.no_new')
    : words('digest.exceptions.new', { count: exceptions.new })
}

function oldest(days: number, words: Words): string {
  return days === 0 ? words('digest.claims.today') : words('digest.claims.oldest', { count: days })
}

function parcelsOf({ exceptions }: DigestView, words: Words): Block[] {
  if (exceptions.parcels.length === 0) return []
  return [
    subheading(words('digest.parcels')),
    links(
      exceptions.parcels.map(({ kind, orderNumber, carrier, days, url }) => ({
        label: words('digest.parcel', { order: orderNumber }),
        url,
        note: [
          ...(carrier === null ? [] : [carrier]),
          words(`kind.${kind}`),
          days === 0 ? words('digest.parcel.today') : words('digest.parcel.days', { count: days }),
        ].join(' · '),
      })),
    ),
  ]
}

function mainButton({ exceptions, claims, withdrawals, dashboardUrl }: DigestView, words: Words): Block {
  if (exceptions.open > 0) return button(words('digest.button'), exceptions.url)
  if (claims.waiting + withdrawals.waiting > 0) return button(words('digest.button.claims'), claims.url)
  return button(words('digest.button.none'), dashboardUrl)
}

/** Counts end at a limit. */
function limited(view: DigestView, count: number): string {
  return count < countLimit ? numberIn(view, count) : `${numberIn(view, countLimit)}+`
}

function numberIn({ language }: DigestView, value: number): string {
  return value.toLocaleString(localeOf(language))
}

function dayFormat({ language }: DigestView, options: Intl.DateTimeFormatOptions): (date: string) => string {
  const format = new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: 'UTC' })
  return (date) => format.format(new Date(`${date}T12:00:00.000Z`))
}
