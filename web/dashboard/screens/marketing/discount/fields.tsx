import { SelectField, TextField } from '../../../kit/field.tsx'
import { Card } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import { discountTypes, valueTypes } from '../search.ts'
import type { Editor } from '../use-editor.ts'
import type { DiscountDraft } from './draft.ts'

const targets = ['', 'line_item', 'shipping_line'] as const
const selections = ['', 'all', 'group', 'specific'] as const

export function DiscountFields({ editor, isNew }: { editor: Editor<DiscountDraft>; isNew: boolean }) {
  const { draft, errorOf, visit } = editor
  const { value, set } = draft
  const text = (name: 'code' | 'title' | 'value') => ({
    label: t(`discounts.${name}`),
    value: value[name],
    error: errorOf(name),
    onBlur: () => visit(name),
    onChange: (typed: string) => set({ [name]: typed }),
  })
  return (
    <>
      <Card title={t('discounts.shown')}>
        <TextField {...text('title')} help={t('discounts.title_help')} maxLength={1_000} />
        <TextField
          {...text('code')}
          help={t('discounts.code_help')}
          maxLength={255}
          className="code"
          spellCheck={false}
          autoComplete="off"
        />
      </Card>
      <Card title={t('discounts.worth')}>
        <p className="soft">{t('discounts.worth_lead')}</p>
        <div className="form-grid narrow">
          <SelectField
            label={t('discounts.type')}
            help={isNew ? t('discounts.type_help') : t('discounts.type_fixed')}
            disabled={!isNew}
            value={value.type}
            choices={discountTypes.map((type) => ({ value: type, label: t(`discounts.types.${type}`) }))}
            onChange={(type) => set({ type })}
          />
          <SelectField
            label={t('discounts.value_type')}
            value={value.value_type}
            choices={valueTypes.map((type) => ({ value: type, label: t(`discounts.value_types.${type}`) }))}
            onChange={(value_type) => set({ value_type })}
          />
          <TextField {...text('value')} type="number" min={0} step="any" inputMode="decimal" />
        </div>
        <div className="form-grid narrow">
          <SelectField
            label={t('discounts.target_type')}
            value={value.target_type}
            choices={targets.map((one) => ({ value: one, label: t(`discounts.target_types.${one || 'none'}`) }))}
            onChange={(target_type) => set({ target_type })}
          />
          <SelectField
            label={t('discounts.target_selection')}
            value={value.target_selection}
            choices={selections.map((one) => ({
              value: one,
              label: t(`discounts.target_selections.${one || 'none'}`),
            }))}
            onChange={(target_selection) => set({ target_selection })}
          />
        </div>
      </Card>
    </>
  )
}
