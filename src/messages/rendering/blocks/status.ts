import type { MailParcel } from '../../customer-mail/view.ts'
import { subjectOf } from '../group-words.ts'
import type { Fact, Part, Row, Section, Tone } from '../parts.ts'
import { clip, linkOf, type Reading } from '../reading.ts'

const tones: Record<MailParcel['flag'], Tone> = { normal: 'accent', delay: 'late', error: 'wrong' }

/** The status of the parcel, the link to the tracking page, and the other parcels of the order. */
export function statusBlock(reading: Reading): Section[] {
  const { view, texts } = reading
  const parcel = subjectOf(view)
  const track = linkOf(view.order.trackingUrl)
  const label = parcel === undefined ? 'status.view_order' : parcel.isReturn ? 'status.track_return' : 'status.track'
  const button: Part[] = track === undefined ? [] : [{ kind: 'button', label: texts.own.say(label), url: track }]
  if (parcel === undefined) return button.length === 0 ? [] : [{ ground: 'page', parts: button }]
  return [
    { ground: 'tint', parts: [statusOf(reading, parcel), ...button, ...factsOf(reading, parcel)] },
    ...otherParcels(reading),
  ]
}

function statusOf({ texts, limits }: Reading, parcel: MailParcel): Part {
  const steps = parcel.steps.map((step) => texts.page.say(`steps.${step}`))
  const step = steps[parcel.step]
  const progress =
    step === undefined ? '' : texts.own.say('status.progress', { n: parcel.step + 1, count: steps.length, step })
  return {
    kind: 'status',
    status: clip(parcel.status, limits.title),
    tone: tones[parcel.flag],
    steps: step === undefined ? [] : steps,
    at: parcel.step,
    progress,
  }
}

function factsOf({ texts, limits }: Reading, parcel: MailParcel): Part[] {
  const facts: Fact[] = []
  if (parcel.lastEvent !== null && parcel.lastEvent !== parcel.status) {
    const value = [clip(parcel.lastEvent, limits.text), parcel.lastEventAt].filter(Boolean).join('\n')
    facts.push({ label: texts.own.say('status.latest'), value })
  }
  if (parcel.carrier !== null) facts.push({ label: texts.page.say('parcel.carrier'), value: clip(parcel.carrier, 100) })
  if (parcel.trackingNumber !== null) {
    facts.push({
      label: texts.page.say('parcel.tracking_number'),
      value: clip(parcel.trackingNumber, 100),
      url: linkOf(parcel.carrierUrl),
    })
  }
  return facts.length === 0 ? [] : [{ kind: 'facts', facts }]
}

/** All parcels if there are several; the one that the message is about is among them. */
function otherParcels({ view, texts, limits }: Reading): Section[] {
  const { parcels } = view
  if (parcels.length < 2) return []
  const outward = parcels.filter(({ isReturn }) => !isReturn)
  const shown = parcels.slice(0, limits.parcels)
  const rows = shown.map((parcel): Row => {
    const n = outward.indexOf(parcel) + 1
    const title = parcel.isReturn
      ? texts.page.say('parcel.return')
      : texts.page.say('parcel.nth', { n, count: outward.length })
    const number = [parcel.carrier, parcel.trackingNumber].filter(Boolean).join(' ')
    const details = [parcel.status, parcel.expected, number].filter(Boolean).join(' · ')
    return {
      title,
      details: clip(details, limits.title * 2),
      amount: undefined,
      imageUrl: undefined,
      url: linkOf(parcel.carrierUrl),
    }
  })
  const hidden = parcels.length - shown.length
  return [
    {
      ground: 'page',
      parts: [
        { kind: 'heading', text: texts.own.say('block.parcels.heading') },
        { kind: 'rows', rows },
        ...(hidden > 0
          ? [{ kind: 'paragraph', text: texts.own.count('block.parcels.more', hidden), tone: 'soft' } as const]
          : []),
      ],
    },
  ]
}
