import * as Ariakit from '@ariakit/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { type Reply, read } from '../../app/api.ts'
import { destinations } from '../../app/navigation.ts'
import { applyScheme, chosenScheme, schemes } from '../../app/scheme.ts'
import { mayActAs, useRole, useSession, useSlug } from '../../app/session.ts'
import { PhaseBadge } from '../../app/words.tsx'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { languages } from '../../texts/language.ts'
import { chooseLanguage, language, t } from '../../texts/texts.ts'

type Match = Reply<'/v1/shops/{slug}/search'>['matches'][number]

interface Command {
  id: string
  label: string
  icon: IconName
  run: () => void
}

/** Ctrl or ⌘ K: the beginning of whatever a customer reads out, a page, or something to do. For the keyboard alone. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const slug = useSlug()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim())
  const records = useQuery({
    ...read('/v1/shops/{slug}/search', { params: { path: { slug }, query: { q: text, limit: 8 } } }),
    enabled: text !== '',
    placeholderData: text === '' ? undefined : keepPreviousData,
  })
  const matches = text === '' ? [] : (records.data?.matches ?? [])
  const commands = useCommands(onClose).filter(({ label }) => isMeant(label, text))
  const openRecord = useOpenRecord(onClose)
  // A person who types fast, or scans a label, presses Enter before the results are there: it is meant for the first of them.
  const [isFirstWanted, setFirstWanted] = useState(false)
  const setValue = (value: string) => {
    setTyped(value)
    setFirstWanted(false)
  }
  const combobox = Ariakit.useComboboxStore({ open: true, value: typed, setValue, focusLoop: true })
  const isCurrent = typed.trim() === text && !records.isLoading && !records.isPlaceholderData
  useEffect(() => {
    if (!isFirstWanted || !isCurrent) return
    setFirstWanted(false)
    const [match] = matches
    if (match) openRecord(match)
    else commands[0]?.run()
  }, [isFirstWanted, isCurrent, matches, commands, openRecord])
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label={t('palette.title')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
    >
      <Ariakit.ComboboxProvider store={combobox}>
        <div className="palette-input">
          <Icon name="search" />
          <Ariakit.Combobox
            autoSelect="always"
            autoFocus
            placeholder={t('palette.hint')}
            aria-label={t('palette.hint')}
            onKeyDown={(event) => event.key === 'Escape' && onClose()}
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              if (isCurrent && combobox.item(combobox.getState().activeId)) return
              event.preventDefault()
              setFirstWanted(true)
            }}
          />
          <kbd>Esc</kbd>
        </div>
        <Ariakit.ComboboxList alwaysVisible className="palette-list" aria-label={t('palette.results')}>
          {matches.length > 0 && (
            <Ariakit.ComboboxGroup className="palette-group">
              <Ariakit.ComboboxGroupLabel className="palette-label">{t('palette.records')}</Ariakit.ComboboxGroupLabel>
              {matches.map((match) => (
                <Record key={match.order_id} match={match} onOpen={() => openRecord(match)} />
              ))}
            </Ariakit.ComboboxGroup>
          )}
          {commands.length > 0 && (
            <Ariakit.ComboboxGroup className="palette-group">
              <Ariakit.ComboboxGroupLabel className="palette-label">{t('palette.commands')}</Ariakit.ComboboxGroupLabel>
              {commands.map(({ id, label, icon, run }) => (
                <Ariakit.ComboboxItem
                  key={id}
                  className="palette-item"
                  value={label}
                  setValueOnClick={false}
                  onClick={run}
                >
                  <Icon name={icon} />
                  <span className="grow">{label}</span>
                </Ariakit.ComboboxItem>
              ))}
            </Ariakit.ComboboxGroup>
          )}
        </Ariakit.ComboboxList>
        <p className="palette-foot soft small" aria-live="polite">
          {footOf(text, records.isFetching, matches.length + commands.length, records.data?.is_complete)}
        </p>
      </Ariakit.ComboboxProvider>
    </dialog>
  )
}

function footOf(text: string, isLoading: boolean, count: number, isComplete = true): string {
  if (text === '') return t('palette.start')
  if (count === 0) return isLoading ? t('kit.loading') : t('palette.nothing', { text })
  return isComplete ? t('palette.keys') : t('palette.more')
}

/** The parcel whose tracking number was typed. */
function parcelOf({ parcels, shipment_id }: Match) {
  return parcels.find((parcel) => parcel.shipment_id === shipment_id)
}

function useOpenRecord(onClose: () => void): (match: Match) => void {
  const slug = useSlug()
  const navigate = useNavigate()
  return (match) => {
    onClose()
    const parcel = parcelOf(match)
    if (parcel) {
      void navigate({ to: '/$slug/shipments/$shipmentId', params: { slug, shipmentId: parcel.shipment_id } })
    } else void navigate({ to: '/$slug/orders/$orderId', params: { slug, orderId: match.order_id } })
  }
}

/** An order that was found, or its parcel, if the tracking number was typed. */
function Record({ match, onOpen }: { match: Match; onOpen: () => void }) {
  const parcel = parcelOf(match)
  const shown = parcel ?? match.parcels.find(({ tracking_number }) => tracking_number !== null)
  const name = match.order_name ?? match.order_number
  const details = [match.customer_name, match.email_id, parcel?.tracking_number ?? shown?.tracking_number]
  return (
    <Ariakit.ComboboxItem className="palette-item" value={match.order_id} setValueOnClick={false} onClick={onOpen}>
      <Icon name={parcel ? 'parcel' : 'orders'} />
      <span className="stack tight grow">
        <span className="strong truncate">{parcel?.tracking_number ?? name}</span>
        <span className="small soft truncate">
          {[parcel ? name : undefined, ...details.filter((detail) => detail !== parcel?.tracking_number)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {shown && <PhaseBadge phase={shown.phase} flag={shown.flag} />}
    </Ariakit.ComboboxItem>
  )
}

/** Pages the reader may open, and what can be done from anywhere. */
function useCommands(onClose: () => void): Command[] {
  const slug = useSlug()
  const role = useRole()
  const session = useSession()
  const navigate = useNavigate()
  const toasts = useToasts()
  const act = (work: () => void) => () => {
    onClose()
    work()
  }
  const pages = destinations
    .filter(({ needs }) => mayActAs(role, needs))
    .flatMap(({ to, label, icon, children = [] }) => [
      { to, icon, words: t(label) },
      ...children
        .filter(({ needs }) => mayActAs(role, needs))
        .map((child) => ({ to: child.to, icon, words: `${t(label)} › ${t(child.label)}` })),
    ])
  return [
    ...pages.map(
      ({ to, icon, words }): Command => ({
        id: to,
        label: words,
        icon,
        run: act(() => void navigate({ to, params: { slug } })),
      }),
    ),
    ...session.shops
      .filter((shop) => shop.slug !== slug)
      .slice(0, 20)
      .map(
        (shop): Command => ({
          id: `shop ${shop.slug}`,
          label: t('palette.shop', { name: shop.name }),
          icon: 'right',
          run: act(() => void navigate({ to: '/$slug', params: { slug: shop.slug } })),
        }),
      ),
    {
      id: 'copy address',
      label: t('palette.copy_link'),
      icon: 'copy',
      run: act(() => {
        void navigator.clipboard.writeText(location.href).then(() => toasts.done(t('kit.copied')))
      }),
    },
    ...schemes
      .filter((scheme) => scheme !== chosenScheme())
      .map(
        (scheme): Command => ({
          id: `scheme ${scheme}`,
          label: t('palette.scheme', { name: t(`nav.scheme_${scheme}`) }),
          icon: 'sun',
          run: act(() => applyScheme(scheme)),
        }),
      ),
    ...(Object.keys(languages) as (keyof typeof languages)[])
      .filter((each) => each !== language())
      .map(
        (each): Command => ({
          id: `language ${each}`,
          label: t('palette.language', { name: languages[each] }),
          icon: 'globe',
          run: act(() => chooseLanguage(each)),
        }),
      ),
  ]
}

/** Every word that was typed begins a word of the label. */
function isMeant(label: string, text: string): boolean {
  const words = label.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((wanted) => wanted === '' || words.some((word) => word.startsWith(wanted)))
}
