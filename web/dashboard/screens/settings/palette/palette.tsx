import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useEffect, useState } from 'react'
import { api, read, refresh } from '../../../app/api.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { Card, Page } from '../../../kit/page.tsx'
import { Banner, Problem } from '../../../kit/problem.tsx'
import { SkeletonBox } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { ColorField } from './color-field.tsx'
import { colors, type Palette } from './palette.ts'
import { Preview } from './preview.tsx'

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
