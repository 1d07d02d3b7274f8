import { Button } from '../../../kit/button.tsx'
import { TextArea, TextField } from '../../../kit/field.tsx'
import { Card } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import type { TypedClass } from './typed.ts'

interface ShippingClassesProps {
  classes: readonly TypedClass[]
  problems: Record<string, string>
  onChange: (classes: TypedClass[], renamed?: { from: string; to: string }) => void
}

const maxClasses = 50

/** Products that need more time, or go another way. */
export function ShippingClasses({ classes, problems, onChange }: ShippingClassesProps) {
  const change = (index: number, changed: Partial<TypedClass>) =>
    onChange(
      classes.map((known, at) => (at === index ? { ...known, ...changed } : known)),
      changed.name === undefined ? undefined : { from: classes[index]?.name ?? '', to: changed.name },
    )
  return (
    <Card title={t('promises.classes')}>
      <p className="soft">{t('promises.classes_lead')}</p>
      {classes.map(({ name, handling_days, products }, index) => (
        // A line has nothing of its own while it is being typed.
        <fieldset key={index} className="promise-item stack">
          <legend className="strong">{name || t('promises.unnamed')}</legend>
          <div className="form-grid">
            <TextField
              label={t('promises.name')}
              required
              maxLength={80}
              value={name}
              error={problems[`shipping_classes.${index}.name`]}
              onChange={(name) => change(index, { name })}
            />
            <TextField
              label={t('promises.more_days')}
              inputMode="numeric"
              maxLength={2}
              value={handling_days}
              error={problems[`shipping_classes.${index}.handling_days`]}
              onChange={(handling_days) => change(index, { handling_days })}
            />
          </div>
          <TextArea
            label={t('promises.products')}
            help={t('promises.products_help')}
            rows={3}
            value={products}
            error={problems[`shipping_classes.${index}.products`]}
            onChange={(products) => change(index, { products })}
          />
          <div>
            <Button isSmall icon="trash" onClick={() => onChange(classes.filter((_, at) => at !== index))}>
              {t('promises.remove', { name: name || t('promises.unnamed') })}
            </Button>
          </div>
        </fieldset>
      ))}
      <div className="row">
        <Button
          icon="plus"
          disabled={classes.length >= maxClasses}
          onClick={() => onChange([...classes, { name: '', handling_days: '0', products: '' }])}
        >
          {t('promises.add_class')}
        </Button>
      </div>
    </Card>
  )
}
