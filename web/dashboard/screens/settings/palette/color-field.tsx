import type { Schemas } from 'doorstep-client'
import { Field } from '../../../kit/field.tsx'
import { formatNumber } from '../../../kit/format.ts'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../texts/texts.ts'
import type { PaletteColor } from './palette.ts'

type Pair = Schemas['PaletteContrast']['pairs'][number]

interface ColorFieldProps {
  color: PaletteColor
  value: string
  /** How readable it is; undefined while that is checked. */
  pair: Pair | undefined
  isDisabled: boolean
  onChange: (value: string) => void
}

/** A colour to pick or to type, with what it is for and how readable it is. */
export function ColorField({ color, value, pair, isDisabled, onChange }: ColorFieldProps) {
  const label = t(`brand.${color}`)
  const isColor = /^#[0-9a-f]{6}$/i.test(value)
  return (
    <div className="color-field">
      <input
        type="color"
        aria-label={t('brand.pick', { name: label })}
        disabled={isDisabled}
        value={isColor ? value.toLowerCase() : '#000000'}
        onChange={(event) => onChange(event.target.value.toUpperCase())}
      />
      <Field label={label} help={t(`brand.${color}_help`)} error={isColor ? undefined : t('brand.not_a_color')}>
        {(control) => (
          <input
            type="text"
            className="code"
            {...control}
            spellCheck={false}
            autoComplete="off"
            maxLength={7}
            disabled={isDisabled}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      {pair && isColor && (
        <p className={`contrast-hint ${pair.passes ? 'good' : 'late'}`}>
          <Icon name={pair.passes ? 'check' : 'alert'} />
          <span>{hintOf(pair)}</span>
          {!pair.passes && <Swatch color={pair.shown} />}
        </p>
      )}
    </div>
  )
}

/** What the API says in English, in the reader's language. */
function hintOf(pair: Pair): string {
  const values = {
    hue: t(`brand.hue.${pair.hue}`),
    ratio: formatNumber(pair.ratio, 1),
    needed: formatNumber(pair.needed, 1),
    shown: pair.shown.toUpperCase(),
    where: pair.against === 'text' ? '' : t(`brand.on.${pair.against}`),
  }
  const kind = pair.against === 'text' ? 'ground' : 'text'
  if (pair.passes) return t(`brand.hint.${kind}_good`, values)
  return t(`brand.hint.${kind}_${pair.change ?? 'darkened'}`, values)
}

/** Drawn, because the page's policy allows no style attribute. */
function Swatch({ color }: { color: string }) {
  return (
    <svg className="swatch" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="3" fill={color} />
    </svg>
  )
}
