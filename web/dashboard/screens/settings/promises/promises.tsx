import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read, refresh } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { TextField } from '../../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { formatCountry, formatList, formatNumber, formatShare } from '../../../kit/format.ts'
import { Card, Facts, Page } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { type TextKey, t } from '../../../texts/texts.ts'
import { weekdayName } from '../calendar/weekend.tsx'
import { MethodList } from './method-list.tsx'
import { Preview } from './preview.tsx'
import { ShippingClasses } from './shipping-classes.tsx'
import { type Settings, type Typed, toSettings, toTyped, week } from './typed.ts'
import { Warehouses } from './warehouses.tsx'

const path = '/v1/shops/{slug}/delivery-promises/settings'

/** The settings of delivery promises before an order: from where, how, and how sure a promise has to be. */
export function PromiseSettings() {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const query = useQuery(read(path, { params: { path: { slug } } }))
  return (
    <Page title={t('promises.title')} lead={t('promises.lead')}>
      {query.isPending && <SkeletonLines count={8} />}
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data && (mayChange ? <SettingsForm key={slug} stored={query.data} /> : <ReadOnly settings={query.data} />)}
    </Page>
  )
}

function SettingsForm({ stored }: { stored: Settings }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const draft = useDraft(toTyped(stored))
  const { value, set } = draft
  const save = useMutation({
    mutationFn: () => api.patch(path, { params: { path: { slug } }, body: toSettings(value) }),
    onSuccess: async () => {
      await refresh(queryClient, path, '/v1/shops/{slug}/delivery-promises')
      draft.reset()
      toasts.done(t('promises.saved'))
    },
  })
  const problems = problemsByField(save.error)
  return (
    <Form problems={problems} labels={labelsOf(value, problems)} onSubmit={() => save.mutate()}>
      <Preview classes={stored.shipping_classes.map(({ name }) => name)} isChanged={draft.isChanged} />
      <Card title={t('promises.sureness')}>
        <div className="form-grid">
          <TextField
            label={t('promises.percentile')}
            help={t('promises.percentile_help')}
            inputMode="decimal"
            maxLength={4}
            value={value.percentile}
            error={problems.percentile}
            onChange={(percentile) => set({ percentile })}
          />
          <TextField
            label={t('promises.at_risk_below')}
            help={t('promises.at_risk_below_help')}
            inputMode="decimal"
            maxLength={4}
            value={value.at_risk_below}
            error={problems.at_risk_below}
            onChange={(at_risk_below) => set({ at_risk_below })}
          />
        </div>
      </Card>
      <MethodList value={value} suggestions={stored.suggestions} problems={problems} onChange={set} />
      <Warehouses
        warehouses={value.warehouses}
        problems={problems}
        onChange={(warehouses, renamed) =>
          set({
            warehouses,
            // A method follows its warehouse when that is renamed.
            ...(renamed && {
              methods: value.methods.map((method) =>
                method.warehouse === renamed.from ? { ...method, warehouse: renamed.to } : method,
              ),
            }),
          })
        }
      />
      <ShippingClasses
        classes={value.shipping_classes}
        problems={problems}
        onChange={(shipping_classes, renamed) =>
          set({
            shipping_classes,
            ...(renamed && {
              methods: value.methods.map((method) => ({
                ...method,
                shipping_classes: method.shipping_classes.map((name) => (name === renamed.from ? renamed.to : name)),
              })),
            }),
          })
        }
      />
      <SaveBar draft={draft} isBusy={save.isPending} />
    </Form>
  )
}

const lists = ['warehouses', 'shipping_classes', 'methods'] as const

const fields: Record<string, TextKey> = {
  name: 'promises.name',
  country_code: 'promises.country',
  timezone: 'promises.timezone',
  cut_offs: 'promises.cut_offs',
  handling_days: 'promises.handling_days',
  closed_days: 'promises.closed_days',
  products: 'promises.products',
  warehouse: 'promises.warehouse',
  carrier_reference: 'promises.carrier',
  service: 'promises.service',
  countries: 'promises.countries',
  shipping_classes: 'promises.only_classes',
  table_days: 'promises.table',
}

/** The fields that were rejected, as text: "Leipzig, Time zone". */
function labelsOf(value: Typed, problems: Record<string, string>): Record<string, string> {
  const named = Object.keys(problems).map((path): [string, string] => {
    const [list, index, field = ''] = path.split('.')
    const known = lists.find((name) => name === list)
    const key = fields[field]
    if (known === undefined || key === undefined) return [path, path]
    const name = value[known][Number(index)]?.name || t('promises.unnamed')
    return [path, t('promises.field_of', { name, field: t(key) })]
  })
  return {
    ...Object.fromEntries(named),
    percentile: t('promises.percentile'),
    at_risk_below: t('promises.at_risk_below'),
  }
}

/** For people who may read the settings but not change them. */
function ReadOnly({ settings }: { settings: Settings }) {
  const { percentile, at_risk_below, warehouses, shipping_classes, methods } = settings
  return (
    <>
      <Preview classes={shipping_classes.map(({ name }) => name)} isChanged={false} />
      <Card title={t('promises.own')}>
        <Facts
          facts={[
            [t('promises.percentile'), formatShare(percentile)],
            [t('promises.at_risk_below'), formatShare(at_risk_below)],
            [
              t('promises.methods'),
              methods.length === 0 ? t('promises.none') : formatList(methods.map(({ name }) => name)),
            ],
            [
              t('promises.classes'),
              shipping_classes.length === 0
                ? undefined
                : formatList(
                    shipping_classes.map(({ name, products }) => `${name} (${formatNumber(products.length)})`),
                  ),
            ],
          ]}
        />
        {warehouses.map((warehouse) => (
          <section key={warehouse.name} className="stack tight">
            <h3>
              {warehouse.name} <span className="soft small">{formatCountry(warehouse.country_code)}</span>
            </h3>
            <ul>
              {week
                .filter((day) => warehouse.cut_offs[day] !== undefined)
                .map((day) => (
                  <li key={day}>
                    {t('promises.cut_off_line', {
                      day: weekdayName(Number(day)),
                      time: warehouse.cut_offs[day] ?? '',
                    })}
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <p className="soft small">{t('promises.read_only')}</p>
      </Card>
    </>
  )
}
