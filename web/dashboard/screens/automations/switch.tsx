import { Badge } from '../../kit/badge.tsx'
import { Check } from '../../kit/field.tsx'
import { t } from '../../texts/texts.ts'
import { useMayChange, useSwitch } from './changes.ts'
import type { StoredAutomation } from './draft.ts'

/** On or off, with a switch for people who may change it. */
export function Switch({ automation }: { automation: StoredAutomation }) {
  const mayChange = useMayChange(automation)
  const flip = useSwitch(automation)
  const { enabled, name } = automation
  if (!mayChange) {
    return <Badge tone={enabled ? 'good' : 'neutral'}>{t(enabled ? 'automations.on' : 'automations.off')}</Badge>
  }
  return (
    <Check
      kind="switch"
      label={
        <>
          <span className="unseen">{name}: </span>
          <span className="nowrap">{t(enabled ? 'automations.on' : 'automations.off')}</span>
        </>
      }
      isChecked={enabled}
      isDisabled={flip.isPending}
      onChange={(isOn) => flip.mutate(isOn)}
    />
  )
}
