import { operation } from '../platform/foundation/operation.ts'
import { Type } from '../platform/foundation/schema.ts'
import { dryRunDraft } from './draft-run.ts'
import { AutomationField, conditionFieldList } from './fields.ts'
import { DraftDryRun, DraftDryRunReport } from './run-schema.ts'

export const listAutomationFields = operation({
  name: 'listAutomationFields',
  summary: 'List the fields that conditions can read',
  description:
    'The fields of the payload that webhooks receive and that conditions are usually about, with their types, possible values and operators. Conditions may read every other field too.',
  area: 'Automations',
  route: 'GET /v1/shops/{slug}/automations/fields',
  needs: 'viewer',
  reply: Type.Array(AutomationField),
  handle: async () => conditionFieldList(),
})

export const dryRunAutomationDraft = operation({
  name: 'dryRunAutomationDraft',
  summary: 'Show what an automation that is not stored would have done',
  description:
    'Evaluates a draft for the newest events of the shop, at most 5,000: those that automations are evaluated for. Payloads are the original ones if they were stored, else they are made from the order as it is now. Returns how many matched on which day, the newest matches, and which conditions kept the others out. Nothing is sent or changed.',
  area: 'Automations',
  route: 'POST /v1/shops/{slug}/automations/dry-run',
  needs: 'editor',
  body: DraftDryRun,
  reply: DraftDryRunReport,
  audit: { none: 'It changes nothing.' },
  handle: (context, { body }) => dryRunDraft(context, body),
})
