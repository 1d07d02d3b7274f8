import type { MailMessage } from '../../platform/mail/message.ts'

export const teamLanguages = ['en', 'de'] as const
export type TeamLanguage = (typeof teamLanguages)[number]

/** The language of messages to people who work in another one is English. */
export function teamLanguage(language: string): TeamLanguage {
  return language === 'de' ? 'de' : 'en'
}

/** Everything that a message to the merchant's people shows, ready to be laid out. */
export type TeamMailView = InvitationView | ResetView | PasswordWarningView | DigestView | AlertView

interface AnyView {
  language: TeamLanguage
  /** Of the person; empty: not known. */
  name: string
  /** The address of the dashboard, which links lead to. */
  dashboardUrl: string
}

export interface InvitationView extends AnyView {
  kind: 'invitation'
  url: string
  expiresInDays: number
  /** Of the shops; empty: all of the installation. */
  shopNames: string[]
  invitedBy: string | null
}

export interface ResetView extends AnyView {
  kind: 'reset'
  url: string
  expiresInHours: number
  /** The admin who created the link; null: the person asked for it on the sign-in page. */
  createdBy: string | null
}

/** Somebody has entered the person's password, and then wrong codes. */
export interface PasswordWarningView extends AnyView {
  kind: 'password_warning'
  at: Date
  network: string
  /** Of the person's account in the dashboard. */
  url: string
}

/** Counts end here: that many need more than a message. */
export const countLimit = 1_000

export interface DigestView extends AnyView {
  kind: 'digest'
  period: 'daily' | 'weekly'
  shopName: string
  /** Whole days, as dates, both inclusive. */
  from: string
  to: string
  delivered: number
  /** Of the same time before; null if it says little, as of a single day. */
  deliveredBefore: number | null
  /** Of the seven days up to `to`; null: too few deliveries to say. */
  onTime: { rate: number; before: number | null; target: { days: number; unit: 'business' | 'calendar' } | null } | null
  exceptions: {
    open: number
    new: number
    /** Most serious first. */
    kinds: { kind: string; count: number }[]
    /** The most serious ones. */
    parcels: { kind: string; orderNumber: string; carrier: string | null; days: number; url: string }[]
    url: string
  }
  claims: { waiting: number; oldestDays: number; url: string }
  withdrawals: { waiting: number; url: string }
  /** Whether an admin has added the address, or the person has subscribed. */
  isAddedAddress: boolean
  settingsUrl: string
}

/** The subject that failed or recovered: a webhook endpoint, an integration, a tracking provider. */
export interface AlertSubject {
  type: 'webhook' | 'integration' | 'provider'
  /** The host of an endpoint, or the key of an integration or provider; null: only admins see it. */
  label: string | null
  /** In the shop's time zone, as text. */
  since: string
  url: string
}

export interface AlertView extends AnyView {
  kind: 'alert'
  shopName: string
  failing: (AlertSubject & { status: number | null })[]
  recovered: AlertSubject[]
  isAddedAddress: boolean
  settingsUrl: string
}

export type RenderedTeamMail = Pick<MailMessage, 'subject' | 'html' | 'text'>
