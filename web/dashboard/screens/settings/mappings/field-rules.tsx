import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, read, refresh } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { SelectField, TextField } from '../../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { Card } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'

type MappingData = Schemas['MappingsV1']
type Kind = keyof MappingData
type Rule = Schemas['MappingRule']

const path = '/v1/shops/{slug}/settings/mappings'

/** The shop systems, each with where its orders have fields of their own. */
const systems = [
  { kind: 'shopify.order', name: 'Shopify', source: 'note_attribute' },
  { kind: 'shopware.order', name: 'Shopware', source: 'custom_field' },
  { kind: 'woocommerce.order', name: 'WooCommerce', source: 'meta_data' },
] as const satisfies readonly { kind: Kind; name: string; source: string }[]

const targets = [
  'order_name',
  'email_id',
  'external_customer_id',
  'order_status_url',
  'financial_status',
  'user_agent',
  'promise_id',
  'segments',
  'preferred_delivery_date',
]

/** The rules that map the fields of a shop system's orders. */
export function FieldRules() {
  const slug = useSlug()
  const query = useQuery(read(path, { params: { path: { slug } } }))
  if (query.isPending) return <SkeletonLines count={6} />
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />
  return <RulesForm key={slug} stored={query.data.data} />
}

function RulesForm({ stored }: { stored: MappingData }) {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const draft = useDraft<MappingData>(stored)
  const save = useMutation({
    mutationFn: () => api.put(path, { params: { path: { slug } }, body: { data: draft.value } }),
    onSuccess: async () => {
      await refresh(queryClient, path)
      draft.reset()
      toasts.done(t('mappings.rules_saved'))
    },
  })
  return (
    <Form problems={problemsByField(save.error)} onSubmit={() => save.mutate()}>
      <Card title={t('mappings.rules')}>
        <p className="soft">{t('mappings.rules_lead')}</p>
        {systems.map(({ kind, name, source }) => (
          <SystemRules
            key={kind}
            name={name}
            ownSource={source}
            rules={draft.value[kind] ?? []}
            mayChange={mayChange}
            onChange={(rules) => draft.set({ [kind]: rules })}
          />
        ))}
        <datalist id="mapping-targets">
          {targets.map((target) => (
            <option key={target} value={target} />
          ))}
        </datalist>
      </Card>
      <SaveBar draft={draft} isBusy={save.isPending} />
    </Form>
  )
}

interface SystemRulesProps {
  name: string
  ownSource: 'note_attribute' | 'custom_field' | 'meta_data'
  rules: readonly Rule[]
  mayChange: boolean
  onChange: (rules: Rule[]) => void
}

function SystemRules({ name, ownSource, rules, mayChange, onChange }: SystemRulesProps) {
  const put = (index: number, rule: Rule) => onChange(rules.map((known, at) => (at === index ? rule : known)))
  const add = () => onChange([...rules, { source: { type: ownSource, key: '' }, target: '' }])
  return (
    <section className="stack mapping-system" aria-label={name}>
      <h3>{name}</h3>
      {rules.length === 0 && <p className="soft">{t('mappings.no_rules')}</p>}
      {rules.map((rule, index) => (
        // Rules have no name of their own: their place is what identifies them.
        <fieldset key={`${index + 0}`} className="mapping-rule" disabled={!mayChange}>
          <legend className="unseen">{t('mappings.rule', { number: index + 1 })}</legend>
          <SelectField
            label={t('mappings.source')}
            value={rule.source.type}
            choices={sourcesOf(ownSource, rule.source.type)}
            onChange={(type) => put(index, { ...rule, source: { ...rule.source, type } })}
          />
          <TextField
            label={t('mappings.key')}
            value={rule.source.key}
            maxLength={255}
            onChange={(key) => put(index, { ...rule, source: { ...rule.source, key } })}
          />
          <TextField
            label={t('mappings.target')}
            value={rule.target}
            maxLength={255}
            list="mapping-targets"
            onChange={(target) => put(index, { ...rule, target })}
          />
          {mayChange && (
            <Button
              variant="quiet"
              icon="trash"
              isIconOnly
              onClick={() => onChange(rules.filter((_rule, at) => at !== index))}
            >
              {t('mappings.remove_rule', { number: index + 1 })}
            </Button>
          )}
        </fieldset>
      ))}
      {mayChange && (
        <div>
          <Button isSmall icon="plus" onClick={add}>
            {t('mappings.add_rule')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** The sources that a rule may read. A stored type that this page does not know stays as it is. */
function sourcesOf(own: 'note_attribute' | 'custom_field' | 'meta_data', current: string) {
  const known = [
    { value: own as string, label: t(`mappings.source_type.${own}`) },
    { value: 'field', label: t('mappings.source_type.field') },
  ]
  return known.some(({ value }) => value === current) ? known : [...known, { value: current, label: current }]
}
