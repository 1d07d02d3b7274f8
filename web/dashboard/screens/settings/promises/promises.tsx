import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read, refresh } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { TextField } from '../../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { Card, Page } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { labelsOf } from './labels.ts'
import { MethodList } from './method-list.tsx'
import { Preview } from './preview.tsx'
import { ReadOnly } from './read-only.tsx'
import { ShippingClasses } from './shipping-classes.tsx'
import { type Settings, toSettings, toTyped } from './typed.ts'
import { Warehouses } from './warehouses.tsx'

const path = '/v1/shops/{slug}/delivery-promises/settings'

/** What customers are promised before they order: from where, how, and how sure it has to be. */
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
