import { nextKey } from '../../app/conditions/draft.ts'
import { type IntegrationName, integrationLabel, integrationNames } from '../../app/integration-words.ts'
import { useMay } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { Card } from '../../kit/page.tsx'
import { t } from '../../texts/texts.ts'
import type { ActionType, DraftAction } from './draft.ts'
import { valueWords } from './words.ts'

const actionTypes = ['notify', 'add_segment', 'create_claim', 'update_claim', 'webhook'] as const
const claimStatuses = ['pending', 'accepted', 'rejected', 'closed'] as const
const claimReasons = [
  'investigation',
  'damage',
  'partial_damage',
  'missing_product',
  'wrong_product',
  'dissatisfied_with_product',
  'return',
  'support',
] as const
const preferences = ['', 'reorder', 'refund', 'keep_with_reward'] as const
const mostActions = 20

/** An action with what its form needs to begin with. */
function newAction(type: ActionType): DraftAction {
  const key = nextKey()
  if (type === 'notify') return { key, type, integration: 'klaviyo' }
  if (type === 'webhook') return { key, type, url: '' }
  if (type === 'add_segment') return { key, type, segment: '' }
  return type === 'update_claim' ? { key, type, status: 'accepted' } : { key, type, reason: 'investigation' }
}

interface ActionsProps {
  actions: readonly DraftAction[]
  problems: Record<string, string>
  onChange: (actions: DraftAction[]) => void
}

/** The actions, which run one after another. */
export function Actions({ actions, problems, onChange }: ActionsProps) {
  const isAdmin = useMay('admin')
  const offered = actionTypes.filter((type) => type !== 'webhook' || isAdmin)
  return (
    <Card title={t('automations.actions')}>
      {actions.map((action, index) => (
        <fieldset key={action.key} className="action">
          <legend className="unseen">{t('automations.action_number', { number: index + 1 })}</legend>
          <div className="action-fields">
            <SelectField
              label={t('automations.action_number', { number: index + 1 })}
              value={action.type}
              choices={actionTypes
                .filter((type) => offered.includes(type) || type === action.type)
                .map((value) => ({ value, label: t(`automations.action.${value}`) }))}
              onChange={(type) => onChange(actions.map((each) => (each === action ? newAction(type) : each)))}
            />
            <ActionFields
              action={action}
              problemOf={(name) => problems[`actions.${index}.${name}`]}
              onChange={(change) => onChange(actions.map((each) => (each === action ? { ...each, ...change } : each)))}
            />
          </div>
          <Button
            variant="quiet"
            icon="trash"
            isIconOnly
            onClick={() => onChange(actions.filter((each) => each !== action))}
          >
            {t('automations.remove_action', { number: index + 1 })}
          </Button>
        </fieldset>
      ))}
      {problems.actions && <p className="field-error">{t('automations.needs_action')}</p>}
      <div className="row">
        <Button
          icon="plus"
          disabled={actions.length >= mostActions}
          onClick={() => onChange([...actions, newAction('notify')])}
        >
          {t('automations.add_action')}
        </Button>
      </div>
    </Card>
  )
}

interface ActionFieldsProps {
  action: DraftAction
  problemOf: (name: string) => string | undefined
  onChange: (change: Partial<DraftAction>) => void
}

function ActionFields({ action, problemOf, onChange }: ActionFieldsProps) {
  switch (action.type) {
    case 'notify':
      return (
        <>
          <SelectField<IntegrationName>
            label={t('automations.integration')}
            value={action.integration ?? 'klaviyo'}
            choices={integrationNames.map((value) => ({ value, label: integrationLabel(value) }))}
            error={problemOf('integration')}
            onChange={(integration) => onChange({ integration })}
          />
          <TextField
            label={t('automations.event_group')}
            help={t('automations.event_group_help')}
            value={action.event_group ?? ''}
            error={problemOf('event_group')}
            onChange={(text) => onChange({ event_group: text === '' ? null : text })}
          />
        </>
      )
    case 'webhook':
      return (
        <TextField
          label={t('automations.url')}
          help={t('automations.url_help')}
          type="url"
          inputMode="url"
          placeholder="https://"
          value={action.url ?? ''}
          error={problemOf('url')}
          onChange={(url) => onChange({ url })}
        />
      )
    case 'add_segment':
      return (
        <TextField
          label={t('automations.segment')}
          help={t('automations.segment_help')}
          value={action.segment ?? ''}
          error={problemOf('segment')}
          onChange={(segment) => onChange({ segment })}
        />
      )
    case 'update_claim':
      return (
        <SelectField
          label={t('automations.claim_status')}
          value={action.status ?? 'accepted'}
          choices={claimStatuses.map((value) => ({ value, label: valueWords(value) }))}
          error={problemOf('status')}
          onChange={(status) => onChange({ status })}
        />
      )
    case 'create_claim':
      return (
        <>
          <SelectField
            label={t('automations.claim_reason')}
            value={action.reason ?? 'investigation'}
            choices={claimReasons.map((value) => ({ value, label: valueWords(value) }))}
            error={problemOf('reason')}
            onChange={(reason) => onChange({ reason })}
          />
          <SelectField
            label={t('automations.preference')}
            value={action.resolution_preference ?? ''}
            choices={preferences.map((value) => ({
              value,
              label: value === '' ? t('automations.no_preference') : valueWords(value),
            }))}
            onChange={(value) => onChange({ resolution_preference: value === '' ? null : value })}
          />
        </>
      )
  }
}
