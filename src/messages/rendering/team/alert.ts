import { labelOf } from '../../../adapters/systems.ts'
import { mailReceiver } from '../../../delivery/queue/delivery.ts'
import type { AlertSubject, AlertView, RenderedTeamMail } from '../../team-mail/view.ts'
import { button, layOut, links, paragraph, reasonOf, subheading } from './layout.ts'
import { type Words, wordsOf } from './texts.ts'

export function renderAlert(view: AlertView): RenderedTeamMail {
  const words = wordsOf(view.language)
  const { failing, recovered, shopName: shop } = view
  const isFailing = failing.length > 0
  const told = isFailing ? failing : recovered
  const [first] = told
  const name = first ? nameOf(first, words) : ''
  const subject = words(isFailing ? 'alert.subject.failing' : 'alert.subject.recovered', {
    shop,
    name,
    count: told.length,
  })
  return layOut({
    ...view,
    subject,
    preheader: told.map((each) => nameOf(each, words)).join(' · '),
    heading: words(isFailing ? 'alert.heading.failing' : 'alert.heading.recovered'),
    blocks: [
      ...(isFailing
        ? [
            paragraph(words('alert.text.failing', { shop })),
            links(
              failing.map((each) => ({
                label: nameOf(each, words),
                url: each.url,
                note: failureOf(each, words),
                tone: 'wrong' as const,
              })),
            ),
          ]
        : []),
      ...(recovered.length === 0
        ? []
        : [
            isFailing
              ? subheading(words('alert.text.recovered', { shop }))
              : paragraph(words('alert.text.recovered', { shop })),
            links(
              recovered.map((each) => ({
                label: nameOf(each, words),
                url: each.url,
                note: words('alert.recovered.since', { time: each.since }),
                tone: 'good' as const,
              })),
            ),
          ]),
      ...(isFailing && first ? [button(words('alert.button'), first.url)] : []),
    ],
    ...reasonOf(view, words),
  })
}

function failureOf({ since: time, status }: AlertView['failing'][number], words: Words): string {
  return status === null
    ? words('alert.since', { time })
    : words('alert.since.status', { time, status: String(status) })
}

function nameOf({ type, label }: AlertSubject, words: Words): string {
  if (type === 'webhook') return label === null ? words('alert.webhook') : words('alert.webhook.named', { label })
  return words(`alert.${type}`, { label: brandOf(label ?? '') })
}

/** As its makers write it. */
function brandOf(name: string): string {
  return name === mailReceiver ? 'E-mail (SMTP)' : labelOf(name)
}
