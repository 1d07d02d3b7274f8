import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findTeamMailAccount } from './account.ts'
import { isTimeZone, nextTimeAt, timeZoneOf } from './local-time.ts'
import {
  digestHour,
  TeamMailSettings,
  TeamMailSettingsUpdate,
  TeamMailSubscription,
  TeamMailSubscriptionUpdate,
} from './schema.ts'
import { putTeamMailSettings, readTeamMailSettings, type StoredSettings } from './settings-store.ts'
import { findSubscription, hasDigestSubscribers, putSubscription } from './subscription-store.ts'
import { type TeamLanguage, teamLanguages } from './view.ts'

export const getTeamMailSubscription = operation({
  name: 'getTeamMailSubscription',
  summary: 'Get which messages about the shop I am sent',
  description:
    'Of the person who is signed in. Without a choice there is no digest, and admins of the shop get alerts.',
  area: 'Team messages',
  route: 'GET /v1/shops/{slug}/team-mail',
  needs: 'viewer',
  reply: TeamMailSubscription,
  handle: readSubscription,
})

export const updateTeamMailSubscription = operation({
  name: 'updateTeamMailSubscription',
  summary: 'Choose which messages about the shop I am sent',
  description: 'Fields that are absent stay as they are. An API key cannot be sent messages.',
  area: 'Team messages',
  route: 'PATCH /v1/shops/{slug}/team-mail',
  needs: 'viewer',
  body: TeamMailSubscriptionUpdate,
  reply: TeamMailSubscription,
  errors: ['insufficient_rights'],
  audit: {
    kind: 'team_mail_subscription',
    named: 'email',
    id: ({ principal }) => principal.keyId,
    async read(context) {
      const { can_send: _, ...choice } = await readSubscription(context)
      return choice
    },
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      if (context.principal.kind !== 'person') {
        throw new ApiError(
          'insufficient_rights',
          'Sign in with an account of your own: an API key has no e-mail address.',
        )
      }
      const { digest, alerts, language } = { ...(await readSubscription(context)), ...body }
      const { keyId } = context.principal
      await putSubscription(context, { shop_id: context.shop.id, person_id: keyId, digest, alerts, language })
      await scheduleDigests(context, await readTeamMailSettings(context, context.shop.id))
      return readSubscription(context)
    }),
})

export const getTeamMailSettings = operation({
  name: 'getTeamMailSettings',
  summary: 'Get who else is sent messages about the shop',
  area: 'Team messages',
  route: 'GET /v1/shops/{slug}/settings/team-mail',
  needs: 'admin',
  reply: TeamMailSettings,
  handle: readSettings,
})

export const updateTeamMailSettings = operation({
  name: 'updateTeamMailSettings',
  summary: 'Change who else is sent messages about the shop',
  description: 'Fields that are absent stay as they are.',
  area: 'Team messages',
  route: 'PATCH /v1/shops/{slug}/settings/team-mail',
  needs: 'admin',
  body: TeamMailSettingsUpdate,
  reply: TeamMailSettings,
  audit: {
    kind: 'settings',
    id: () => 'team-mail',
    async read(context) {
      const { time_zone, addresses } = await readSettings(context)
      return { time_zone, addresses }
    },
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const known = await readTeamMailSettings(context, context.shop.id)
      const addresses = body.addresses?.map((each) => ({ ...each, email: each.email.trim().toLowerCase() }))
      const double = addresses?.findIndex(
        ({ email }, index) => addresses.findIndex((one) => one.email === email) < index,
      )
      if (double !== undefined && double !== -1)
        throw invalid(['body', 'addresses', double, 'email'], 'is listed twice')
      if (body.time_zone && !isTimeZone(body.time_zone)) {
        throw invalid(['body', 'time_zone'], 'is not a known time zone, such as Europe/Berlin')
      }
      await scheduleDigests(context, {
        timeZone: body.time_zone === undefined ? known.timeZone : body.time_zone,
        addresses: addresses ?? known.addresses,
        nextDigestAt: known.nextDigestAt,
      })
      return readSettings(context)
    }),
})

async function readSubscription(context: ShopContext): Promise<TeamMailSubscription> {
  const { principal } = context
  const found = principal.kind === 'person' ? await findSubscription(context, principal.keyId) : undefined
  return {
    email: found?.email ?? null,
    digest: found?.digest ?? 'off',
    alerts: found?.alerts ?? found?.isShopAdmin ?? false,
    language: known(found?.language),
    can_send: await canSend(context),
  }
}

async function readSettings(context: ShopContext): Promise<TeamMailSettings> {
  const { timeZone, addresses } = await readTeamMailSettings(context, context.shop.id)
  return {
    time_zone: timeZone,
    effective_time_zone: timeZoneOf(timeZone, context.shop.language),
    addresses,
    can_send: await canSend(context),
  }
}

async function canSend(context: ShopContext): Promise<boolean> {
  return (await findTeamMailAccount(context, context.shop.id)) !== undefined
}

function known(language: string | null | undefined): TeamLanguage | null {
  return teamLanguages.find((each) => each === language) ?? null
}

/** Stores the settings, and when the next digests are due if anybody wants them. What is due already stays so. */
async function scheduleDigests(context: ShopContext, settings: StoredSettings): Promise<void> {
  const { timeZone, addresses, nextDigestAt } = settings
  const isWanted =
    addresses.some(({ digest }) => digest !== 'off') || (await hasDigestSubscribers(context, context.shop.id))
  const isDue = nextDigestAt !== null && nextDigestAt <= context.now
  const next = isDue ? nextDigestAt : nextTimeAt(timeZoneOf(timeZone, context.shop.language), digestHour, context.now)
  await putTeamMailSettings(context, context.shop.id, { ...settings, nextDigestAt: isWanted ? next : null })
}
