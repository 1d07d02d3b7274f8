import { ImageField } from '../../../app/image-field.tsx'
import type { Language } from '../../../app/languages.ts'
import { languageTag } from '../../../app/languages.ts'
import { ChoiceField, TextArea, TextField } from '../../../kit/field.tsx'
import { Card } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import { DiscountField } from '../discount-field.tsx'
import { LanguageTabs } from '../language-tabs.tsx'
import { promotionTypes } from '../search.ts'
import { translate, usedLanguages } from '../translations.ts'
import type { Editor } from '../use-editor.ts'
import { shownFields } from './check.ts'
import type { Campaign, CampaignDraft, CampaignText } from './draft.ts'
import { Products } from './products.tsx'

export interface ContentProps {
  editor: Editor<CampaignDraft>
  stored: Campaign | undefined
  shopLanguage: Language
  currency: string
  /** The language whose texts are shown. */
  language: Language
  onLanguage: (language: Language) => void
}

/** The content that customers see: texts in every language, button, code, picture or products. */
export function ContentFields({ editor, stored, shopLanguage, currency, language, onLanguage }: ContentProps) {
  const { draft, errorOf, visit } = editor
  const { value, set } = draft
  const place = (name: string) => `${shownFields}.${name}`
  const isOriginal = language === shopLanguage
  const text = (name: CampaignText, maxLength: number) => ({
    label: t(`campaigns.${name}`),
    lang: languageTag(language),
    maxLength,
    value: isOriginal ? value[name] : (value.translations[language]?.[name] ?? ''),
    placeholder: isOriginal ? undefined : value[name],
    error: isOriginal ? errorOf(place(name)) : undefined,
    onBlur: () => visit(place(name)),
    onChange: (typed: string) =>
      set(isOriginal ? { [name]: typed } : { translations: translate(value.translations, language, name, typed) }),
  })
  return (
    <Card title={t('campaigns.content')}>
      <ChoiceField
        label={t('campaigns.type')}
        value={value.promotion_type}
        choices={promotionTypes.map((type) => ({
          value: type,
          label: t(`campaigns.types.${type}`),
          help: t(`campaigns.type_help.${type}`),
        }))}
        onChange={(promotion_type) => set({ promotion_type })}
      />
      <LanguageTabs
        shopLanguage={shopLanguage}
        used={usedLanguages(value.translations)}
        chosen={language}
        onChange={onLanguage}
      >
        <TextField {...text('title', 1_000)} help={t('campaigns.title_help')} />
        <TextArea {...text('subtitle', 2_000)} rows={2} />
        <TextField {...text('cta_label', 255)} help={t('campaigns.cta_label_help')} />
      </LanguageTabs>
      <TextField
        label={t('campaigns.cta_url')}
        help={t('campaigns.cta_url_help')}
        type="url"
        placeholder="https://"
        value={value.cta_url}
        error={errorOf(place('cta_url'))}
        onBlur={() => visit(place('cta_url'))}
        onChange={(cta_url) => set({ cta_url })}
      />
      {value.promotion_type === 'product' ? (
        <Products editor={editor} currency={currency} language={language} isOriginal={isOriginal} />
      ) : (
        <ImageField
          label={t('campaigns.image')}
          alt={t('campaigns.image_alt')}
          kind="background"
          url={value.image_url}
          help={t('image.help')}
          error={errorOf(place('image_url'))}
          onBlur={() => visit(place('image_url'))}
          onChange={(image_url) => set({ image_url })}
        />
      )}
      <div className="form-grid">
        <DiscountField
          label={t('campaigns.discount')}
          help={t('campaigns.discount_help')}
          value={value.discount_id}
          stored={stored?.discount}
          error={errorOf('discount_id')}
          onChange={(discount_id) => set({ discount_id })}
        />
        <TextField
          label={t('campaigns.discount_code')}
          help={t('campaigns.discount_code_help')}
          maxLength={255}
          value={value.discount_code}
          error={errorOf(place('discount_code'))}
          onChange={(discount_code) => set({ discount_code })}
        />
      </div>
    </Card>
  )
}
