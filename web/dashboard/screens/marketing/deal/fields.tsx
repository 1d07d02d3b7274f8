import { ImageField } from '../../../app/image-field.tsx'
import { type Language, languageTag } from '../../../app/languages.ts'
import { TextArea, TextField } from '../../../kit/field.tsx'
import { Card } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import { DiscountField } from '../discount-field.tsx'
import { LanguageTabs } from '../language-tabs.tsx'
import { translate, usedLanguages } from '../translations.ts'
import type { Editor } from '../use-editor.ts'
import type { Deal, DealDraft, DealText } from './draft.ts'

interface DealFieldsProps {
  editor: Editor<DealDraft>
  stored: Deal | undefined
  shopLanguage: Language
  language: Language
  onLanguage: (language: Language) => void
}

export function DealFields({ editor, stored, shopLanguage, language, onLanguage }: DealFieldsProps) {
  const { draft, errorOf, visit } = editor
  const { value, set } = draft
  const isOriginal = language === shopLanguage
  const text = (name: DealText, maxLength: number) => ({
    label: t(`deals.${name}`),
    lang: languageTag(language),
    maxLength,
    value: isOriginal ? value[name] : (value.translations[language]?.[name] ?? ''),
    placeholder: isOriginal ? undefined : value[name],
    error: isOriginal ? errorOf(name) : undefined,
    onBlur: () => visit(name),
    onChange: (typed: string) =>
      set(isOriginal ? { [name]: typed } : { translations: translate(value.translations, language, name, typed) }),
  })
  const image = (name: 'brand_image_url' | 'brand_logo_url') => ({
    label: t(`deals.${name}`),
    url: value[name],
    error: errorOf(name),
    onBlur: () => visit(name),
    onChange: (url: string | null) => set({ [name]: url }),
  })
  return (
    <Card title={t('deals.content')}>
      <DiscountField
        label={t('deals.discount')}
        help={t('deals.discount_help')}
        required
        value={value.discount_id}
        stored={stored?.discount}
        error={errorOf('discount_id')}
        onBlur={() => visit('discount_id')}
        onChange={(discount_id) => set({ discount_id })}
      />
      <LanguageTabs
        shopLanguage={shopLanguage}
        used={usedLanguages(value.translations)}
        chosen={language}
        onChange={onLanguage}
      >
        <TextField {...text('title', 1_000)} help={t('deals.title_help')} />
        <TextArea {...text('description', 10_000)} rows={3} />
      </LanguageTabs>
      <TextField
        label={t('deals.cta_url')}
        help={t('deals.cta_url_help')}
        type="url"
        placeholder="https://"
        value={value.cta_url}
        error={errorOf('cta_url')}
        onBlur={() => visit('cta_url')}
        onChange={(cta_url) => set({ cta_url })}
      />
      <div className="form-grid">
        <ImageField {...image('brand_image_url')} alt={t('deals.image_alt')} kind="background" help={t('image.help')} />
        <ImageField {...image('brand_logo_url')} alt={t('deals.logo_alt')} kind="logo" />
      </div>
    </Card>
  )
}
