import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { type Language, languageChoices, languageName } from '../../app/languages.ts'
import { SelectField } from '../../kit/field.tsx'
import { t } from '../../texts/texts.ts'

interface LanguageTabsProps {
  shopLanguage: Language
  /** Those that have a text, beside the shop's. */
  used: readonly Language[]
  chosen: Language
  onChange: (language: Language) => void
  children: ReactNode
}

/** One tab for each language that is written in, the shop's first; the other languages can be added. */
export function LanguageTabs({ shopLanguage, used, chosen, onChange, children }: LanguageTabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const shown = [...new Set([shopLanguage, ...used, chosen])]
  const missing = languageChoices().filter(({ value }) => !shown.includes(value))
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (shown.indexOf(chosen) + step + shown.length) % shown.length
    onChange(shown[next] ?? shopLanguage)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div className="stack">
      <div className="row apart language-row">
        <div ref={list} className="tabs row" role="tablist" aria-label={t('offers.languages')}>
          {shown.map((language) => (
            <button
              key={language}
              type="button"
              role="tab"
              id={`${id}-${language}`}
              aria-selected={language === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={language === chosen ? 0 : -1}
              className="tab"
              onClick={() => onChange(language)}
              onKeyDown={move}
            >
              {languageName(language)}
              {language === shopLanguage && <span className="soft small">{t('offers.original')}</span>}
            </button>
          ))}
        </div>
        {missing.length > 0 && (
          <SelectField
            label={t('offers.add_language')}
            isLabelHidden
            value=""
            choices={[{ value: '' as const, label: t('offers.add_language') }, ...missing]}
            onChange={(language) => language !== '' && onChange(language)}
          />
        )}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`} className="stack">
        {chosen !== shopLanguage && (
          <p className="soft small">{t('offers.translation_help', { language: languageName(shopLanguage) })}</p>
        )}
        {children}
      </div>
    </div>
  )
}
