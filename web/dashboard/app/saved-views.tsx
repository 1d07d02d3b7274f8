import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Check, TextField } from '../kit/field.tsx'
import { Form, problemsByField } from '../kit/form.tsx'
import { parseSearch, type RawSearch, stringifySearch } from '../kit/list/search.ts'
import { Menu, MenuGroup, MenuItem, MenuLine } from '../kit/menu.tsx'
import { useToasts } from '../kit/toast.tsx'
import { t } from '../texts/texts.ts'
import { api, readList, refresh } from './api.ts'
import { useMay, useSlug } from './session.ts'

type View = Schemas['SavedView']
/** The lists that have views. */
export type ViewedScreen = View['screen']

const viewsPath = '/v1/shops/{slug}/views'

interface SavedViewsProps {
  screen: View['screen']
  /** The list's state as its route returns it. */
  search: object
}

/** The views of a list: named addresses, private or shared. Changing a filter leaves the view. */
export function SavedViews({ screen, search }: SavedViewsProps) {
  const slug = useSlug()
  const maySave = useMay('editor')
  const navigate = useNavigate()
  const [isSaving, setSaving] = useState(false)
  const { data } = useQuery({
    ...readList(viewsPath, { params: { path: { slug }, query: { screen, per_page: 100 } } }),
    staleTime: 60_000,
  })
  const views = data?.rows ?? []
  const query = queryOf(search)
  const current = query === '' ? undefined : views.find((view) => view.query === query)
  const actions = useViewActions(screen)
  const open = (view: View) => void navigate({ to: '.', search: parseSearch(view.query) as never }) // its route reads it
  const group = (isShared: boolean) =>
    views
      .filter(({ shared }) => shared === isShared)
      .map((view) => (
        <MenuItem
          key={`${view.shared} ${view.name}`}
          icon={view === current ? 'check' : 'bookmark'}
          onSelect={() => open(view)}
        >
          {view.name}
        </MenuItem>
      ))
  const groups = [
    { name: t('views.private'), items: group(false) },
    { name: t('views.shared'), items: group(true) },
  ].filter(({ items }) => items.length > 0)
  if (views.length === 0 && !maySave) return null
  return (
    <>
      <Menu label={current ? current.name : t('views.title')} icon="bookmark">
        {groups.map(({ name, items }) => (
          <MenuGroup key={name} label={name}>
            {items}
          </MenuGroup>
        ))}
        {views.length === 0 && <p className="menu-heading">{t('views.empty')}</p>}
        {maySave && <MenuLine />}
        {maySave && (
          <MenuItem icon="plus" onSelect={() => setSaving(true)}>
            {t('views.save')}
          </MenuItem>
        )}
        {maySave && current && (
          <MenuItem icon="trash" isDangerous onSelect={() => actions.remove.mutate(current)}>
            {t('views.delete', { name: current.name })}
          </MenuItem>
        )}
      </Menu>
      {isSaving && (
        <SaveDialog views={views} before={current} query={query} actions={actions} onClose={() => setSaving(false)} />
      )}
    </>
  )
}

/** A view begins with its first page, even if another page is open now. */
function queryOf(search: object): string {
  return stringifySearch({ ...(search as RawSearch), page: undefined })
}

function useViewActions(screen: View['screen']) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const reload = () => refresh(queryClient, viewsPath)
  const save = useMutation({
    mutationFn: ({ name, query, shared }: Pick<View, 'name' | 'query' | 'shared'>) =>
      api.put(`${viewsPath}/{name}`, { params: { path: { slug, name } }, body: { screen, query, shared } }),
    onSuccess: reload,
  })
  const remove = useMutation({
    mutationFn: ({ name, shared }: View) =>
      api.delete(`${viewsPath}/{name}`, { params: { path: { slug, name }, query: { screen, shared } } }),
    onSuccess: async (_reply, view) => {
      toasts.done(t('views.deleted', { name: view.name }), () => save.mutate(view))
      await reload()
    },
    onError: toasts.failed,
  })
  return { save, remove }
}

interface SaveDialogProps {
  views: readonly View[]
  before: View | undefined
  query: string
  actions: ReturnType<typeof useViewActions>
  onClose: () => void
}

function SaveDialog({ views, before, query, actions: { save }, onClose }: SaveDialogProps) {
  const toasts = useToasts()
  const [name, setName] = useState(before?.name ?? '')
  const [isShared, setShared] = useState(before?.shared ?? false)
  const given = name.trim()
  const replaced = views.find((view) => view.name === given && view.shared === isShared)
  const submit = () => {
    if (given === '') return
    save.mutate(
      { name: given, query, shared: isShared },
      {
        onSuccess: () => {
          toasts.done(t('views.saved', { name: given }))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={t('views.save')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button variant="primary" isBusy={save.isPending} disabled={given === ''} onClick={submit}>
            {replaced ? t('views.replace') : t('kit.save')}
          </Button>
        </>
      }
    >
      <Form problems={problemsByField(save.error)} onSubmit={submit}>
        <TextField
          label={t('views.name')}
          help={replaced ? t('views.replaces') : t('views.name_help')}
          maxLength={80}
          value={name}
          onChange={setName}
        />
        <Check label={t('views.share')} help={t('views.share_help')} isChecked={isShared} onChange={setShared} />
      </Form>
    </Dialog>
  )
}
