import type { Schemas } from 'doorstep-client'
import { type Language, languageName, pageLanguages } from '../../../app/languages.ts'
import { Button } from '../../../kit/button.tsx'
import { SelectField, TextArea } from '../../../kit/field.tsx'
import { t } from '../../../texts/texts.ts'

type Description = Schemas['ShopProfile']['descriptions'][number]

interface DescriptionsProps {
  descriptions: readonly Description[]
  shopLanguage: Language
  onChange: (descriptions: Description[]) => void
}

/** The shop's description, one text for each language. */
export function Descriptions({ descriptions, shopLanguage, onChange }: DescriptionsProps) {
  const written = pageLanguages.filter((language) => descriptions.some((one) => one.language === language))
  const shown = written.length > 0 ? written : [shopLanguage]
  const missing = pageLanguages.filter((language) => !shown.includes(language))
  const put = (language: Language, text: string) =>
    onChange([...descriptions.filter((one) => one.language !== language), { language, text }])
  return (
    <div className="stack">
      {shown.map((language) => (
        <div key={language} className="description-row">
          <TextArea
            label={
              language === shopLanguage
                ? t('shop.in_language_usual', { language: languageName(language) })
                : t('shop.in_language', { language: languageName(language) })
            }
            lang={language === 'gr' ? 'el' : language}
            rows={3}
            maxLength={2_000}
            value={descriptions.find((one) => one.language === language)?.text ?? ''}
            onChange={(text) => put(language, text)}
          />
          {written.length > 0 && (
            <Button
              variant="quiet"
              icon="trash"
              isIconOnly
              onClick={() => onChange(descriptions.filter((one) => one.language !== language))}
            >
              {t('shop.remove_language', { language: languageName(language) })}
            </Button>
          )}
        </div>
      ))}
      {missing.length > 0 && (
        <SelectField
          label={t('shop.add_language')}
          value=""
          choices={[
            { value: '', label: t('shop.choose_language') },
            ...missing.map((language) => ({ value: language as string, label: languageName(language) })),
          ]}
          onChange={(chosen) => {
            const language = missing.find((one) => one === chosen)
            if (language) onChange([...withShown(descriptions, shown), { language, text: '' }])
          }}
        />
      )}
    </div>
  )
}

/** An empty one that is shown stays when another is added. */
function withShown(descriptions: readonly Description[], shown: readonly Language[]): Description[] {
  const missing = shown.filter((language) => !descriptions.some((one) => one.language === language))
  return [...descriptions, ...missing.map((language) => ({ language, text: '' }))]
}
