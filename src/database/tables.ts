import type { AuditLogTables } from './rows/audit-log.ts'
import type { AutomationTables } from './rows/automations.ts'
import type { CampaignTables } from './rows/campaigns.ts'
import type { CatalogueTables } from './rows/catalogue.ts'
import type { ClaimTables } from './rows/claims.ts'
import type { ConnectionTables } from './rows/connections.ts'
import type { EventFeedTables } from './rows/event-feed.ts'
import type { ExceptionTables } from './rows/exceptions.ts'
import type { FigureTables } from './rows/figures.ts'
import type { ImageTables } from './rows/images.ts'
import type { ImportTables } from './rows/imports.ts'
import type { KeyTables } from './rows/keys.ts'
import type { MailMessageTables } from './rows/mail-messages.ts'
import type { MailTemplateTables } from './rows/mail-templates.ts'
import type { NotificationTables } from './rows/notifications.ts'
import type { OrderTables } from './rows/orders.ts'
import type { PeopleTables } from './rows/people.ts'
import type { PromiseTables } from './rows/promises.ts'
import type { RequestTables } from './rows/requests.ts'
import type { SettingsTables } from './rows/settings.ts'
import type { ShopSystemTables } from './rows/shop-systems.ts'
import type { ShopTables } from './rows/shops.ts'
import type { TeamMailTables } from './rows/team-mail.ts'
import type { TrackingTables } from './rows/tracking.ts'

export type { Tables } from '../foundation/tables.ts'

/** Each area's tables are declared in `rows/`. */
declare module '../foundation/tables.ts' {
  interface Tables
    extends AuditLogTables,
      AutomationTables,
      CampaignTables,
      CatalogueTables,
      ClaimTables,
      ConnectionTables,
      EventFeedTables,
      ExceptionTables,
      FigureTables,
      ImageTables,
      ImportTables,
      KeyTables,
      MailMessageTables,
      MailTemplateTables,
      NotificationTables,
      OrderTables,
      PeopleTables,
      PromiseTables,
      RequestTables,
      SettingsTables,
      ShopSystemTables,
      ShopTables,
      TeamMailTables,
      TrackingTables {}
}
