import { Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { Card } from '../../kit/page.tsx'
import { t } from '../../texts/texts.ts'
import { type CampaignChoice, type DraftVariant, evenly } from './draft.ts'

interface VariantFieldsProps {
  campaigns: readonly CampaignChoice[]
  variants: readonly DraftVariant[]
  problems: Record<string, string>
  onChange: (variants: DraftVariant[]) => void
}

const mostVariants = 20

/** The compared campaigns, and the share of customers that sees each. */
export function VariantFields({ campaigns, variants, problems, onChange }: VariantFieldsProps) {
  const sum = variants.reduce((total, { allocation }) => total + allocation, 0)
  const unused = campaigns.filter(({ uuid }) => variants.every(({ id }) => id !== uuid))
  const change = (index: number, given: Partial<DraftVariant>) =>
    onChange(variants.map((variant, each) => (each === index ? { ...variant, ...given } : variant)))
  return (
    <Card title={t('ab_tests.variants')}>
      {campaigns.length < 2 && <p className="soft">{t('ab_tests.one_campaign')}</p>}
      {variants.map((variant, index) => (
        <div key={variant.id} className="ab-variant">
          <SelectField
            label={t('ab_tests.campaign_number', { number: index + 1 })}
            value={variant.id}
            choices={campaigns
              .filter(({ uuid }) => uuid === variant.id || unused.some((each) => each.uuid === uuid))
              .map(({ uuid, name }) => ({ value: uuid, label: name }))}
            error={problems[`campaigns.${index}.campaign_id`]}
            onChange={(id) => change(index, { id })}
          />
          <TextField
            label={t('ab_tests.percent')}
            type="number"
            min={0}
            max={100}
            inputMode="numeric"
            value={String(variant.allocation)}
            error={problems[`campaigns.${index}.allocation`]}
            onChange={(percent) => change(index, { allocation: Math.round(Number(percent)) || 0 })}
          />
          <Button
            variant="quiet"
            icon="trash"
            isIconOnly
            disabled={variants.length === 1}
            onClick={() => onChange(variants.filter((each) => each !== variant))}
          >
            {t('ab_tests.remove_variant', { number: index + 1 })}
          </Button>
        </div>
      ))}
      <p className={sum === 100 ? 'soft' : 'field-error'} aria-live="polite">
        {sum === 100 ? t('ab_tests.sum_right') : t('ab_tests.sum_wrong', { sum })}
      </p>
      {problems.campaigns && sum === 100 && <p className="field-error">{problems.campaigns}</p>}
      <div className="row">
        <Button
          icon="plus"
          disabled={unused.length === 0 || variants.length >= mostVariants}
          onClick={() => {
            const [next] = unused
            if (next) onChange(evenly([...variants, { id: next.uuid, allocation: 0 }]))
          }}
        >
          {t('ab_tests.add_variant')}
        </Button>
        <Button disabled={variants.length < 2} onClick={() => onChange(evenly(variants))}>
          {t('ab_tests.even')}
        </Button>
      </div>
    </Card>
  )
}
