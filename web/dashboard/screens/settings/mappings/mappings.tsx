import { useSlug } from '../../../app/session.ts'
import { ButtonLink } from '../../../kit/button.tsx'
import { Card, Page } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import { FieldRules } from './field-rules.tsx'

/** How words of other systems become ours: fields of shop systems, and where codes of carriers are. */
export function Mappings() {
  const slug = useSlug()
  return (
    <Page title={t('mappings.title')} lead={t('mappings.lead')}>
      <Card title={t('mappings.codes')}>
        <p className="soft">{t('mappings.codes_text')}</p>
        <div>
          <ButtonLink icon="truck" to="/$slug/carriers/codes" params={{ slug }}>
            {t('nav.codes')}
          </ButtonLink>
        </div>
      </Card>
      <FieldRules />
    </Page>
  )
}
