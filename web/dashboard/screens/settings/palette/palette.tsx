import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useEffect, useState } from 'react'
import { api, read, refresh } from '../../../app/api.ts'
import { languageName, pageLanguages } from '../../../app/languages.ts'
import { PhoneFrame } from '../../../app/phone-frame.tsx'
import { useMay, useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Field, SelectField } from '../../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { formatNumber } from '../../../kit/format.ts'
import { Icon } from '../../../kit/icon.tsx'
import { Card, Page } from '../../../kit/page.tsx'
import { Banner, Problem } from '../../../kit/problem.tsx'
import { SkeletonBox } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { colors, type Palette, type PaletteColor } from './palette.ts'

const path = '/v1/shops/{slug}/settings/brand-palette'

/** The colours of the tracking page, with the page itself beside them. */
export function PaletteSettings() {
  const slug = useSlug()
  const query = useQuery(read(path, { params: { path: { slug } } }))
  return (
    <Page title={t('brand.title')} lead={t('brand.lead')}>
      {query.isPending ? (
        <SkeletonBox rows={6} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <PaletteForm key={slug} palette={query.data} />
      )}
    </Page>
  )
}

function PaletteForm({ palette }: { palette: Palette }) {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const draft = useDraft(palette)
  const shown = useSettled(draft.value)
  const check = useQuery({
    ...read(`${path}/contrast`, { params: { path: { slug }, query: shown } }),
    placeholderData: keepPreviousData,
  })
  const write = async (body: Schemas['BrandPaletteUpdate']) => {
    await api.patch(path, { params: { path: { slug } }, body })
    await refresh(queryClient, path)
  }
  const save = useMutation({
    mutationFn: (_before: Palette) => write(draft.value),
    onSuccess: (_saved, before) => {
      draft.reset()
      toasts.done(t('brand.saved'), () => void write(before).catch(toasts.failed))
    },
  })
  const reset = useMutation({
    mutationFn: (_before: Palette) => write(Object.fromEntries(colors.map((color) => [color, null]))),
    onSuccess: (_saved, before) => {
      draft.reset()
      toasts.done(t('brand.reset_done'), () => void write(before).catch(toasts.failed))
    },
    onError: toasts.failed,
  })
  const pairs = check.data?.pairs ?? []
  const shifted = pairs.filter(({ passes }) => !passes).length
  return (
    <div className="palette-columns">
      <Form problems={problemsByField(save.error)} onSubmit={() => save.mutate(palette)}>
        <Card title={t('brand.colors')}>
          {check.isError ? (
            <Problem error={check.error} retry={() => void check.refetch()} />
          ) : shifted > 0 ? (
            <Banner tone="late" title={t('brand.some_hard', { count: shifted })}>
              <p>{t('brand.some_hard_text')}</p>
            </Banner>
          ) : (
            <Banner tone="good" title={t('brand.all_readable')} />
          )}
          {colors.map((color) => (
            <ColorField
              key={color}
              color={color}
              value={draft.value[color]}
              pair={pairs.find((pair) => pair.color === color)}
              isDisabled={!mayChange}
              onChange={(value) => draft.set({ [color]: value })}
            />
          ))}
          {mayChange && (
            <div>
              <Button icon="undo" isBusy={reset.isPending} onClick={() => reset.mutate(palette)}>
                {t('brand.reset')}
              </Button>
            </div>
          )}
        </Card>
        <SaveBar draft={draft} isBusy={save.isPending} />
      </Form>
      <Preview palette={shown} />
    </div>
  )
}

const settleMs = 250

/** The palette once nothing was changed for a moment: colour pickers report every step. Half-typed colours are left out. */
function useSettled(palette: Palette): Palette {
  const [settled, setSettled] = useState(palette)
  const text = JSON.stringify(palette)
  useEffect(() => {
    const timer = setTimeout(() => {
      const given = JSON.parse(text) as Palette // of the line above
      setSettled((before) => {
        const valid = Object.entries(given).filter(([, color]) => /^#[0-9a-f]{6}$/i.test(color))
        return { ...before, ...Object.fromEntries(valid) }
      })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

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
function ColorField({ color, value, pair, isDisabled, onChange }: ColorFieldProps) {
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

/** The API's English hint, in the reader's language. */
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

/** The tracking page with a made-up order, in the colours that are being chosen, as on a phone. */
function Preview({ palette }: { palette: Palette }) {
  const slug = useSlug()
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const [language, setLanguage] = useState('')
  const query = new URLSearchParams({ ...palette, scheme, ...(language === '' ? {} : { language }) })
  const address = `/v1/shops/${encodeURIComponent(slug)}/settings/brand-palette/preview?${query}`
  return (
    <Card title={t('brand.preview')}>
      <div className="form-grid narrow">
        <SelectField
          label={t('brand.scheme')}
          value={scheme}
          choices={[
            { value: 'light', label: t('nav.scheme_light') },
            { value: 'dark', label: t('nav.scheme_dark') },
          ]}
          onChange={setScheme}
        />
        <SelectField
          label={t('brand.language')}
          value={language}
          choices={[
            { value: '', label: t('brand.shop_language') },
            ...pageLanguages.map((one) => ({ value: one as string, label: languageName(one) })),
          ]}
          onChange={setLanguage}
        />
      </div>
      <PhoneFrame title={t('brand.preview')} address={address} />
    </Card>
  )
}
