import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import type { Language } from '../../app/languages.ts'
import { PagePreview } from '../../app/page-preview.tsx'
import { useSlug } from '../../app/session.ts'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { CampaignActions } from './campaign/actions.tsx'
import { AudienceFields } from './campaign/audience.tsx'
import { checkCampaign, shownFields } from './campaign/check.ts'
import { Conflict } from './campaign/conflict.tsx'
import { bodyOf, type Campaign as CampaignRecord, draftOf, emptyCampaign, propertiesOf } from './campaign/draft.ts'
import { ContentFields } from './campaign/fields.tsx'
import { campaignLabels } from './campaign/labels.ts'
import { StatusBadge } from './campaign/status.tsx'
import { EditorPage } from './editor-page.tsx'
import { useEditor } from './use-editor.ts'
import { asWritten, useShopLanguage } from './use-shop-language.ts'

const path = '/v1/shops/{slug}/campaigns'

/** The editor of a campaign, new or stored. */
export function Campaign() {
  const slug = useSlug()
  const { uuid } = useParams({ from: '/signed-in/$slug/marketing/campaigns/$uuid' })
  const { copy } = useSearch({ from: '/signed-in/$slug/marketing/campaigns/$uuid' })
  const isNew = uuid === 'new'
  const shop = useShopLanguage()
  const readId = isNew ? copy : uuid
  const query = useQuery({
    ...read(`${path}/{uuid}`, {
      params: { path: { slug, uuid: readId ?? '' } },
      ...asWritten(shop.language ?? 'en'),
    }),
    enabled: readId !== undefined && shop.language !== undefined,
  })
  const error = shop.error ?? query.error
  if (shop.language !== undefined && (readId === undefined || query.data)) {
    return (
      <CampaignEditor
        key={`${uuid} ${copy ?? ''}`}
        stored={isNew ? undefined : query.data}
        copied={isNew ? query.data : undefined}
        shopLanguage={shop.language}
        currency={shop.currency}
      />
    )
  }
  return (
    <Page title={t('campaigns.campaign')} back={<Back />}>
      {error ? (
        <Problem error={error} retry={() => void query.refetch()} />
      ) : (
        <>
          <SkeletonLines />
          <SkeletonBox rows={6} />
        </>
      )}
    </Page>
  )
}

function Back() {
  const slug = useSlug()
  return (
    <Link to="/$slug/marketing/campaigns" params={{ slug }}>
      {t('nav.campaigns')}
    </Link>
  )
}

interface CampaignEditorProps {
  stored: CampaignRecord | undefined
  copied: CampaignRecord | undefined
  shopLanguage: Language
  currency: string
}

function CampaignEditor({ stored, copied, shopLanguage, currency }: CampaignEditorProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [language, setLanguage] = useState(shopLanguage)
  const beginning = useMemo(() => {
    if (stored) return draftOf(stored, shopLanguage)
    if (!copied) return emptyCampaign()
    const name = t('campaigns.copy_of', { name: copied.name }).slice(0, 255)
    return { ...draftOf(copied, shopLanguage), name, enabled: false }
  }, [stored, copied, shopLanguage])
  const editor = useEditor({
    stored: beginning,
    check: checkCampaign,
    save: (value) => {
      const body = bodyOf(value, stored)
      if (stored === undefined) return api.post(path, { params: { path: { slug } }, body })
      return api.put(`${path}/{uuid}`, { params: { path: { slug, uuid: stored.uuid } }, body })
    },
    onSaved: async () => {
      await refresh(queryClient, path)
      toasts.done(t(stored ? 'kit.saved' : 'campaigns.created'))
      if (!stored) await navigate({ to: '/$slug/marketing/campaigns', params: { slug }, ignoreBlocker: true })
    },
  })
  const { value } = editor.draft
  const isShowable = !Object.keys(editor.problems).some((field) => field.startsWith(shownFields))
  return (
    <EditorPage
      title={stored ? stored.name : t('campaigns.new')}
      aside={stored && <StatusBadge status={stored.status} />}
      back={<Back />}
      actions={stored && <CampaignActions campaign={stored} />}
      editor={editor}
      labels={campaignLabels(value.products)}
      notice={editor.conflict && <Conflict error={editor.conflict} draft={value} ownId={stored?.uuid} />}
      action={stored ? t('kit.save') : t('campaigns.create')}
      isUnsaved={copied !== undefined}
      preview={
        <PagePreview
          draft={
            isShowable
              ? {
                  campaign: {
                    promotion_type: value.promotion_type,
                    promotion_properties: propertiesOf(value),
                    discount_id: value.discount_id || null,
                  },
                }
              : undefined
          }
          language={language}
          onLanguage={setLanguage}
          part=".offer"
        />
      }
    >
      <AudienceFields editor={editor} />
      <ContentFields
        editor={editor}
        stored={stored ?? copied}
        shopLanguage={shopLanguage}
        currency={currency}
        language={language}
        onLanguage={setLanguage}
      />
    </EditorPage>
  )
}
