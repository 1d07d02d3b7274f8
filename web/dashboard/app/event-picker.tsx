import { useState } from 'react'
import { Check, ChoiceField, TextField } from '../kit/field.tsx'
import { t } from '../texts/texts.ts'
import { chosenBelow, eventTree, type FilterNode, toggleChild, toggleNode } from './event-filters.ts'
import { useEventNames } from './words.tsx'

interface EventPickerProps {
  /** As the API has them: `*`, `shipments/delivered`, `claims/created`. */
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  error?: string | undefined
}

/** The events that an endpoint receives: all, or a choice from the catalogue, by the phase of the parcel. */
export function EventPicker({ chosen, onChange, error }: EventPickerProps) {
  const isAll = chosen.includes('*')
  const nodes = useFilterTree()
  return (
    <div className="stack">
      <ChoiceField
        label={t('messages.events')}
        value={isAll ? 'all' : 'some'}
        choices={[
          { value: 'all', label: t('messages.all_events'), help: t('messages.all_events_help') },
          { value: 'some', label: t('messages.some_events') },
        ]}
        onChange={(value) => onChange(value === 'all' ? ['*'] : [])}
      />
      {!isAll && <Catalogue nodes={nodes} chosen={chosen} onChange={onChange} />}
      {error && <p className="field-error">{error}</p>}
    </div>
  )
}

function useFilterTree(): FilterNode[] {
  const claimWords = {
    claims: t('messages.claims'),
    created: t('messages.claim_created'),
    updated: t('messages.claim_updated'),
  }
  const atRiskWords = { name: t('messages.at_risk'), event: t('messages.at_risk_event') }
  return eventTree(useEventNames(), (phase) => t(`phase.${phase}`), claimWords, atRiskWords)
}

interface CatalogueProps {
  nodes: readonly FilterNode[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

function Catalogue({ nodes, chosen, onChange }: CatalogueProps) {
  const [sought, setSought] = useState('')
  const words = sought.trim().toLowerCase()
  const matches = ({ name, filter }: FilterNode) =>
    name.toLowerCase().includes(words) || filter.toLowerCase().includes(words.replaceAll(' ', '_'))
  const shown = nodes.filter((node) => matches(node) || node.children.some(matches))
  return (
    <fieldset className="catalogue stack tight">
      <legend className="unseen">{t('messages.some_events')}</legend>
      <TextField
        label={t('messages.find_event')}
        isLabelHidden
        type="search"
        placeholder={t('messages.find_event')}
        value={sought}
        onChange={setSought}
      />
      <div className="catalogue-groups">
        {shown.map((node) => (
          <Group
            key={node.filter}
            node={node}
            chosen={new Set(chosen)}
            children={words === '' || matches(node) ? node.children : node.children.filter(matches)}
            isOpen={words !== ''}
            onNode={(isOn) => onChange(toggleNode(nodes, chosen, node, isOn))}
            onChild={(child) => onChange(toggleChild(nodes, chosen, node, child))}
          />
        ))}
        {shown.length === 0 && <p className="soft">{t('list.nothing_found')}</p>}
      </div>
    </fieldset>
  )
}

interface GroupProps {
  node: FilterNode
  chosen: ReadonlySet<string>
  children: readonly FilterNode[]
  isOpen: boolean
  onNode: (isOn: boolean) => void
  onChild: (filter: string) => void
}

function Group({ node, chosen, children, isOpen, onNode, onChild }: GroupProps) {
  const below = chosenBelow(node, chosen)
  const isWhole = below.length === node.children.length
  return (
    <div className="catalogue-group">
      <Check
        isChecked={isWhole}
        onChange={onNode}
        label={
          <>
            {node.name}{' '}
            <span className="soft small">
              {t('messages.chosen_of', { chosen: below.length, count: node.children.length })}
            </span>
          </>
        }
      />
      <details open={isOpen || (below.length > 0 && !isWhole)}>
        <summary className="small">{t('messages.single_events', { name: node.name })}</summary>
        <div className="catalogue-events">
          {children.map((child) => (
            <Check
              key={child.filter}
              isChecked={below.includes(child.filter)}
              onChange={() => onChild(child.filter)}
              label={child.name}
            />
          ))}
        </div>
      </details>
    </div>
  )
}

/** The chosen events in a few words. */
export function useFilterWords(): (filters: readonly string[]) => string {
  const nodes = useFilterTree()
  return (filters) => {
    if (filters.includes('*')) return t('messages.all_events')
    const names = new Map(nodes.flatMap((node) => [node, ...node.children]).map(({ filter, name }) => [filter, name]))
    const [first = '', ...others] = filters.map((filter) => names.get(filter) ?? filter)
    return others.length === 0 ? first : t('messages.and_more', { first, count: others.length })
  }
}
