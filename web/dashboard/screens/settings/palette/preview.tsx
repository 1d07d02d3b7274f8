import { useState } from 'react'
import { languageName, pageLanguages } from '../../../app/languages.ts'
import { PhoneFrame } from '../../../app/phone-frame.tsx'
import { useSlug } from '../../../app/session.ts'
import { SelectField } from '../../../kit/field.tsx'
import { Card } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import type { Palette } from './palette.ts'

/** The tracking page with a made-up order, in the colours that are being chosen, as on a phone. */
export function Preview({ palette }: { palette: Palette }) {
  const slug = useSlug()
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const [language, setLanguage] = useState('')
  const query = new URLSearchParams({ ...palette, scheme, ...(language === '' ? {} : { language }) })
  const address = `/v1/shops/${encodeURIComponent(slug)}/settings/brand-palette/preview?${query}`
  return (
    <Card title={t('brand.preview')}>
      <div className="form-grid narrow">
        <SelectField
          label={t('brand.scheme')}
          value={scheme}
          choices={[
            { value: 'light', label: t('nav.scheme_light') },
            { value: 'dark', label: t('nav.scheme_dark') },
          ]}
          onChange={setScheme}
        />
        <SelectField
          label={t('brand.language')}
          value={language}
          choices={[
            { value: '', label: t('brand.shop_language') },
            ...pageLanguages.map((one) => ({ value: one as string, label: languageName(one) })),
          ]}
          onChange={setLanguage}
        />
      </div>
      <PhoneFrame title={t('brand.preview')} address={address} />
    </Card>
  )
}
