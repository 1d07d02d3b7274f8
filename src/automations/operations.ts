import { hidePath } from '../delivery/queue/sealed-address.ts'
import { toStoredConditions } from '../delivery/receivers/conditions.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { sha256 } from '../platform/foundation/crypto.ts'
import { ApiError } from '../platform/foundation/errors.ts'
import { newId } from '../platform/foundation/ids.ts'
import { created, operation, PagedQuery } from '../platform/foundation/operation.ts'
import { PageOf, pageRequest } from '../platform/foundation/page.ts'
import { EmptyReply } from '../platform/foundation/schema.ts'
import { inTransaction } from '../platform/foundation/transaction.ts'
import { isDuplicate } from '../platform/store/errors.ts'
import { automationNotFound, checkAutomation } from './check.ts'
import { toAutomation } from './present.ts'
import { type Action, Automation, AutomationWrite } from './schema.ts'
import {
  type AutomationRow,
  findAutomation,
  insertAutomation,
  listAutomations,
  lockAutomation,
  updateAutomation,
} from './store.ts'
import { checkWebhookAccess } from './webhook-access.ts'

/** An automation in the audit log. The paths of its addresses may be secrets: the log shows only that they changed. */
const auditedAutomation = {
  kind: 'automation',
  async read(context: ShopContext, id: string): Promise<object | undefined> {
    const row = await findAutomation(context, id)
    return row && { ...row, actions: (row.actions as Action[]).map(withoutPath) } // only checked automations are stored
  },
}

function withoutPath(action: Action): object {
  if (action.type !== 'webhook') return action
  return { ...action, url: hidePath(action.url), url_secret: sha256(action.url).toString('hex') }
}

export const createAutomation = operation({
  name: 'createAutomation',
  summary: 'Create an automation',
  description:
    'When an event matches the trigger and all conditions are met, the actions are executed after the delay. Automations are evaluated for every published event: one that has an event group and was sent with notify=true, or was recorded by the service itself. An automation never runs because of its own actions, and a chain has at most five automations. An action `webhook` requires the role admin, both to create the automation and to change or delete it later.',
  area: 'Automations',
  route: 'POST /v1/shops/{slug}/automations',
  needs: 'editor',
  body: AutomationWrite,
  reply: Automation,
  errors: ['automation_exists'],
  audit: auditedAutomation,
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      checkWebhookAccess(context, ...body.actions)
      const automation: AutomationRow = {
        shop_id: context.shop.id,
        id: newId(context.now),
        name: body.name,
        description: body.description ?? null,
        enabled: body.enabled ?? true,
        trigger_events: body.trigger.events,
        conditions: toStoredConditions(body.conditions ?? []),
        delay_minutes: body.delay_minutes ?? 0,
        actions: checkAutomation(body),
        created_at: context.now,
        updated_at: context.now,
        deleted_at: null,
      }
      if (!(await insertAutomation(context, automation))) throw exists(body.name)
      await announce(context)
      return created(`/v1/shops/${context.shop.slug}/automations/${automation.id}`, toAutomation(context, automation))
    }),
})

export const searchAutomations = operation({
  name: 'listAutomations',
  summary: 'List automations',
  area: 'Automations',
  route: 'GET /v1/shops/{slug}/automations',
  needs: 'viewer',
  query: PagedQuery({}),
  reply: PageOf(Automation),
  async handle(context, { query }) {
    const page = await listAutomations(context, pageRequest(query))
    return { ...page, items: page.items.map((row) => toAutomation(context, row)) }
  },
})

export const getAutomationById = operation({
  name: 'getAutomation',
  summary: 'Get an automation',
  area: 'Automations',
  route: 'GET /v1/shops/{slug}/automations/{automation_id}',
  needs: 'viewer',
  reply: Automation,
  errors: ['automation_not_found'],
  async handle(context, { path }) {
    const automation = await findAutomation(context, path.automation_id)
    if (automation === undefined) throw automationNotFound(path.automation_id)
    return toAutomation(context, automation)
  },
})

export const changeAutomation = operation({
  name: 'updateAutomation',
  summary: 'Update an automation',
  description:
    'Required fields are replaced. Optional fields stay unchanged if absent and are cleared by null. Pending runs keep their actions and due time.',
  area: 'Automations',
  route: 'PUT /v1/shops/{slug}/automations/{automation_id}',
  needs: 'editor',
  body: AutomationWrite,
  reply: Automation,
  errors: ['automation_not_found', 'automation_exists'],
  audit: auditedAutomation,
  async handle(context, { path, body }) {
    checkWebhookAccess(context, ...body.actions)
    const actions = checkAutomation(body)
    try {
      return await inTransaction(context, async (context) => {
        const current = await lockAutomation(context, path.automation_id)
        if (current === undefined) throw automationNotFound(path.automation_id)
        checkWebhookAccess(context, ...actionsOf(current))
        const automation: AutomationRow = {
          ...current,
          name: body.name,
          description: body.description === undefined ? current.description : body.description,
          enabled: body.enabled ?? current.enabled,
          trigger_events: body.trigger.events,
          conditions: body.conditions === undefined ? current.conditions : toStoredConditions(body.conditions ?? []),
          delay_minutes: body.delay_minutes === undefined ? current.delay_minutes : (body.delay_minutes ?? 0),
          actions,
          updated_at: context.now,
        }
        await updateAutomation(context, automation)
        await announce(context)
        return toAutomation(context, automation)
      })
    } catch (error) {
      if (isDuplicate(error, 'automations_name')) throw exists(body.name)
      throw error
    }
  },
})

export const removeAutomation = operation({
  name: 'deleteAutomation',
  summary: 'Delete an automation',
  description: 'The automation is no longer returned and no longer runs. Pending runs are cancelled; past runs stay.',
  area: 'Automations',
  route: 'DELETE /v1/shops/{slug}/automations/{automation_id}',
  needs: 'editor',
  reply: EmptyReply,
  successStatus: 204,
  errors: ['automation_not_found'],
  audit: auditedAutomation,
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const current = await lockAutomation(context, path.automation_id)
      if (current === undefined) throw automationNotFound(path.automation_id)
      checkWebhookAccess(context, ...actionsOf(current))
      await updateAutomation(context, { ...current, deleted_at: context.now })
      await announce(context)
      return undefined
    }),
})

function actionsOf({ actions }: AutomationRow): Action[] {
  return actions as Action[] // only checked automations are stored
}

/** Makes every node reload the shop's automations. */
function announce(context: ShopContext): Promise<void> {
  return context.services.announce(context, { kind: 'automations', shopId: context.shop.id })
}

function exists(name: string): ApiError {
  return new ApiError('automation_exists', `This shop already has an automation called ${JSON.stringify(name)}.`)
}
