import { operation, PagedQuery } from '../platform/foundation/operation.ts'
import { PageOf, pageRequest } from '../platform/foundation/page.ts'
import { automationNotFound } from './check.ts'
import { dryRun } from './dry-run.ts'
import { toRule } from './evaluate.ts'
import { toRun } from './present.ts'
import { DryRun, DryRunReport, Run } from './run-schema.ts'
import { findDeliveryStatuses, listRuns } from './run-store.ts'
import { findAutomation, isKnownAutomation } from './store.ts'
import { maskWebhookUrls } from './webhook-access.ts'

export const listAutomationRuns = operation({
  name: 'listAutomationRuns',
  summary: 'List the runs of an automation',
  description: 'Newest first, each with the status of its actions. The runs of a deleted automation stay.',
  area: 'Automations',
  route: 'GET /v1/shops/{slug}/automations/{automation_id}/runs',
  needs: 'viewer',
  query: PagedQuery({}),
  reply: PageOf(Run),
  errors: ['automation_not_found'],
  async handle(context, { path, query }) {
    if (!(await isKnownAutomation(context, path.automation_id))) throw automationNotFound(path.automation_id)
    const page = await listRuns(context, path.automation_id, pageRequest(query))
    const deliveries = await findDeliveryStatuses(context, page.items)
    return { ...page, items: page.items.map((run) => toRun(context, run, deliveries)) }
  },
})

export const dryRunAutomation = operation({
  name: 'dryRunAutomation',
  summary: 'Show what an automation would have done',
  description:
    'Evaluates the automation for the events published in the last days, newest first, with their original payloads. Nothing is sent or changed. The automation does not have to be enabled.',
  area: 'Automations',
  route: 'POST /v1/shops/{slug}/automations/{automation_id}/dry-run',
  needs: 'editor',
  body: DryRun,
  reply: DryRunReport,
  errors: ['automation_not_found'],
  audit: { none: 'It changes nothing.' },
  async handle(context, { path, body }) {
    const automation = await findAutomation(context, path.automation_id)
    if (automation === undefined) throw automationNotFound(path.automation_id)
    const rule = toRule(automation)
    return dryRun(context, { ...rule, actions: maskWebhookUrls(context, rule.actions) }, body.days ?? 7)
  },
})
