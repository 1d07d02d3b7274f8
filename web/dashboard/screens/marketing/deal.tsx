import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api, readList, refresh } from '../../app/api.ts'
import type { Language } from '../../app/languages.ts'
import { PagePreview } from '../../app/page-preview.tsx'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { ConflictBanner } from './conflict-banner.tsx'
import { bodyOf, checkDeal, type Deal as DealRecord, draftOf } from './deal/draft.ts'
import { DealFields } from './deal/fields.tsx'
import { DeleteDeal, dealName } from './deal/remove.tsx'
import { EditorPage } from './editor-page.tsx'
import { StoredRecord } from './stored-record.tsx'
import { useEditor } from './use-editor.ts'
import { asWritten, useShopLanguage } from './use-shop-language.ts'

const path = '/v1/shops/{slug}/deals'

/** The editor of a deal, new or stored. */
export function Deal() {
  const slug = useSlug()
  const { uuid } = useParams({ from: '/signed-in/$slug/marketing/deals/$uuid' })
  const isNew = uuid === 'new'
  const shop = useShopLanguage()
  const query = useQuery({
    ...readList(path, { params: { path: { slug }, query: { uuid } }, ...asWritten(shop.language ?? 'en') }),
    enabled: !isNew && shop.language !== undefined,
  })
  return (
    <StoredRecord
      title={t('deals.deal')}
      back={<Back />}
      isNew={isNew}
      query={query}
      error={shop.error}
      isReady={shop.language !== undefined}
    >
      {(stored) => <DealEditor key={uuid} stored={stored} shopLanguage={shop.language ?? 'en'} />}
    </StoredRecord>
  )
}

function Back() {
  const slug = useSlug()
  return (
    <Link to="/$slug/marketing/deals" params={{ slug }}>
      {t('nav.deals')}
    </Link>
  )
}

interface EditorProps {
  stored: DealRecord | undefined
  shopLanguage: Language
}

function labels(): Record<string, string> {
  const names = ['title', 'description', 'cta_url', 'brand_image_url', 'brand_logo_url'] as const
  return { discount_id: t('deals.discount'), ...Object.fromEntries(names.map((name) => [name, t(`deals.${name}`)])) }
}

function DealEditor({ stored, shopLanguage }: EditorProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [language, setLanguage] = useState(shopLanguage)
  const [isDeleting, setDeleting] = useState(false)
  const leave = () => navigate({ to: '/$slug/marketing/deals', params: { slug }, ignoreBlocker: true })
  const beginning = useMemo(() => draftOf(stored, shopLanguage), [stored, shopLanguage])
  const editor = useEditor({
    stored: beginning,
    check: checkDeal,
    save: (value) => {
      const body = { ...bodyOf(value), discount_id: value.discount_id }
      if (stored === undefined) return api.post(path, { params: { path: { slug } }, body })
      return api.patch(`${path}/{deal_id}`, { params: { path: { slug, deal_id: stored.uuid } }, body })
    },
    onSaved: async () => {
      await refresh(queryClient, path)
      toasts.done(t(stored ? 'kit.saved' : 'deals.created'))
      if (!stored) await leave()
    },
  })
  const { value } = editor.draft
  const isShowable = Object.keys(editor.problems).every((field) => field === 'discount_id')
  return (
    <EditorPage
      title={stored ? dealName(stored) : t('deals.new')}
      back={<Back />}
      actions={
        stored && (
          <Button icon="trash" onClick={() => setDeleting(true)}>
            {t('offers.delete')}
          </Button>
        )
      }
      editor={editor}
      labels={labels()}
      notice={<ConflictBanner error={editor.conflict} />}
      action={stored ? t('kit.save') : t('deals.create')}
      preview={
        <PagePreview
          draft={isShowable ? { deals: [{ ...bodyOf(value), discount_id: value.discount_id || null }] } : undefined}
          language={language}
          onLanguage={setLanguage}
          part=".deals"
        />
      }
    >
      <DealFields
        editor={editor}
        stored={stored}
        shopLanguage={shopLanguage}
        language={language}
        onLanguage={setLanguage}
      />
      {isDeleting && stored && <DeleteDeal deal={stored} leave={leave} onClose={() => setDeleting(false)} />}
    </EditorPage>
  )
}
