import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useMemo, useState } from 'react'
import { api, readList, refresh } from '../../app/api.ts'
import type { Language } from '../../app/languages.ts'
import { PagePreview } from '../../app/page-preview.tsx'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { ConflictBanner } from './conflict-banner.tsx'
import { bodyOf, checkDiscount, type DiscountDraft, draftOf } from './discount/draft.ts'
import { DiscountFields } from './discount/fields.tsx'
import { DeleteDiscount } from './discount/remove.tsx'
import { discountName } from './discount-words.ts'
import { EditorPage } from './editor-page.tsx'
import { StoredRecord } from './stored-record.tsx'
import { useEditor } from './use-editor.ts'
import { useShopLanguage } from './use-shop-language.ts'

const path = '/v1/shops/{slug}/discounts'

/** The editor of a discount, new or stored. */
export function Discount() {
  const slug = useSlug()
  const { uuid } = useParams({ from: '/signed-in/$slug/marketing/discounts/$uuid' })
  const isNew = uuid === 'new'
  const shop = useShopLanguage()
  const query = useQuery({ ...readList(path, { params: { path: { slug }, query: { uuid } } }), enabled: !isNew })
  return (
    <StoredRecord
      title={t('discounts.discount')}
      back={<Back />}
      isNew={isNew}
      query={query}
      error={shop.error}
      isReady={shop.language !== undefined}
    >
      {(stored) => <DiscountEditor key={uuid} stored={stored} shopLanguage={shop.language ?? 'en'} />}
    </StoredRecord>
  )
}

function Back() {
  const slug = useSlug()
  return (
    <Link to="/$slug/marketing/discounts" params={{ slug }}>
      {t('nav.discounts')}
    </Link>
  )
}

interface EditorProps {
  stored: Schemas['Discount'] | undefined
  shopLanguage: Language
}

function DiscountEditor({ stored, shopLanguage }: EditorProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [language, setLanguage] = useState(shopLanguage)
  const [isDeleting, setDeleting] = useState(false)
  const leave = () => navigate({ to: '/$slug/marketing/discounts', params: { slug }, ignoreBlocker: true })
  const beginning = useMemo((): DiscountDraft => draftOf(stored), [stored])
  const editor = useEditor({
    stored: beginning,
    check: checkDiscount,
    save: (value) =>
      stored
        ? api.patch(`${path}/{uuid}`, { params: { path: { slug, uuid: stored.uuid } }, body: bodyOf(value) })
        : api.post(path, { params: { path: { slug } }, body: { ...bodyOf(value), type: value.type } }),
    onSaved: async () => {
      // Deals and campaigns show their discount.
      await refresh(queryClient, path, '/v1/shops/{slug}/deals', '/v1/shops/{slug}/campaigns')
      toasts.done(t(stored ? 'kit.saved' : 'discounts.created'))
      if (!stored) await leave()
    },
  })
  const isValid = Object.keys(editor.problems).length === 0
  return (
    <EditorPage
      title={stored ? discountName(stored) : t('discounts.new')}
      back={<Back />}
      actions={
        stored && (
          <Button icon="trash" onClick={() => setDeleting(true)}>
            {t('offers.delete')}
          </Button>
        )
      }
      editor={editor}
      labels={{ code: t('discounts.code'), title: t('discounts.title'), value: t('discounts.value') }}
      notice={<ConflictBanner error={editor.conflict} />}
      action={stored ? t('kit.save') : t('discounts.create')}
      preview={
        <PagePreview
          draft={isValid ? { deals: [{ discount: bodyOf(editor.draft.value) }] } : undefined}
          language={language}
          onLanguage={setLanguage}
          part=".deals"
        />
      }
    >
      <DiscountFields editor={editor} isNew={stored === undefined} />
      {isDeleting && stored && <DeleteDiscount discount={stored} leave={leave} onClose={() => setDeleting(false)} />}
    </EditorPage>
  )
}
