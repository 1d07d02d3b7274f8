import type {
  InvitationView,
  PasswordWarningView,
  RenderedTeamMail,
  ResetView,
  TeamMailView,
} from '../../team-mail/view.ts'
import { renderAlert } from './alert.ts'
import { renderDigest } from './digest.ts'
import { button, layOut, paragraph, plainAddress } from './layout.ts'
import { localeOf, type Words, wordsOf } from './texts.ts'

/** Lays out a message to the merchant's people. */
export function renderTeamMail(view: TeamMailView): RenderedTeamMail {
  switch (view.kind) {
    case 'invitation':
      return renderInvitation(view)
    case 'reset':
      return renderReset(view)
    case 'password_warning':
      return renderPasswordWarning(view)
    case 'digest':
      return renderDigest(view)
    case 'alert':
      return renderAlert(view)
  }
}

function renderInvitation(view: InvitationView): RenderedTeamMail {
  const words = wordsOf(view.language)
  const isEverywhere = view.shopNames.length === 0
  const shops = isEverywhere
    ? words('invitation.all_shops')
    : new Intl.ListFormat(view.language).format(view.shopNames.slice(0, 10))
  return layOut({
    ...view,
    subject: isEverywhere ? words('invitation.subject.everywhere') : words('invitation.subject', { shops }),
    preheader: words('invitation.preheader'),
    heading: words('invitation.heading'),
    blocks: [
      paragraph(greeting(words, view.name)),
      paragraph(
        view.invitedBy === null
          ? words('invitation.text', { shops })
          : words('invitation.text.by', { person: view.invitedBy, shops }),
      ),
      button(words('invitation.button'), view.url),
      paragraph(words('invitation.expires', { days: view.expiresInDays }), { isSoft: true }),
      plainAddress(words('copy_link'), view.url),
    ],
  })
}

function renderReset(view: ResetView): RenderedTeamMail {
  const words = wordsOf(view.language)
  const hours = view.expiresInHours
  return layOut({
    ...view,
    subject: words('reset.subject'),
    preheader: words('reset.preheader', { hours }),
    heading: words('reset.heading'),
    blocks: [
      paragraph(greeting(words, view.name)),
      paragraph(view.createdBy === null ? words('reset.text') : words('reset.text.by', { person: view.createdBy })),
      button(words('reset.button'), view.url),
      paragraph(words('reset.expires', { hours }), { isSoft: true }),
      ...(view.createdBy === null ? [paragraph(words('reset.not_you'), { isSoft: true })] : []),
      plainAddress(words('copy_link'), view.url),
    ],
  })
}

function renderPasswordWarning(view: PasswordWarningView): RenderedTeamMail {
  const words = wordsOf(view.language)
  // A person has no time zone.
  const format = new Intl.DateTimeFormat(localeOf(view.language), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const time = `${format.format(view.at)} UTC`
  return layOut({
    ...view,
    subject: words('password_warning.subject'),
    preheader: words('password_warning.preheader'),
    heading: words('password_warning.heading'),
    blocks: [
      paragraph(greeting(words, view.name)),
      paragraph(words('password_warning.text', { time, network: view.network })),
      paragraph(words('password_warning.change')),
      button(words('password_warning.button'), view.url),
      paragraph(words('password_warning.was_you'), { isSoft: true }),
      plainAddress(words('copy_link'), view.url),
    ],
  })
}

function greeting(words: Words, name: string): string {
  return name === '' ? words('greeting') : words('greeting.named', { name })
}
