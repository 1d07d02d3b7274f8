import { backup, moveStore, restore } from './commands/backup.ts'
import { completion, completionWords } from './commands/completion.ts'
import { deliveriesList, deliveriesResend, deliveriesShow, deliveriesTail } from './commands/deliveries.ts'
import { doctor } from './commands/doctor.ts'
import { eventsNames, eventsSend, eventsTail } from './commands/events.ts'
import { help } from './commands/help.ts'
import { exportShipments, importOrders } from './commands/import-export.ts'
import { keysCreate, keysDelete, keysList } from './commands/keys.ts'
import { listen } from './commands/listen.ts'
import { login, logout, status } from './commands/login.ts'
import { mcp } from './commands/mcp.ts'
import { shopsExport, shopsImport, shopsResume } from './commands/move-shop.ts'
import { promiseBacktest } from './commands/promise.ts'
import { rotateAdminKey, rotateInboundSecret, rotateKeys, rotatePageLinks } from './commands/rotate.ts'
import { migrate, start } from './commands/server.ts'
import { apply, plan, pull } from './commands/shop-file.ts'
import { shopsCreate, shopsList, shopsShow } from './commands/shops.ts'
import { simulate } from './commands/simulate.ts'
import { trigger } from './commands/trigger.ts'
import type { Command } from './frame/command.ts'

/** Every command: the help, the completion and the tests go through this list. */
export const commands: readonly Command[] = [
  start,
  migrate,
  rotateKeys,
  rotatePageLinks,
  rotateInboundSecret,
  rotateAdminKey,
  doctor,
  backup,
  restore,
  moveStore,
  login,
  logout,
  status,
  shopsList,
  shopsShow,
  shopsCreate,
  shopsExport,
  shopsImport,
  shopsResume,
  keysList,
  keysCreate,
  keysDelete,
  listen,
  trigger,
  simulate,
  eventsTail,
  eventsSend,
  eventsNames,
  deliveriesList,
  deliveriesShow,
  deliveriesTail,
  deliveriesResend,
  pull,
  plan,
  apply,
  importOrders,
  exportShipments,
  promiseBacktest,
  mcp,
  completion,
  completionWords(() => commands),
  help(() => commands),
]
