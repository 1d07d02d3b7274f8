import { Page } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import { CarrierCodes } from './carrier-codes.tsx'
import { FieldRules } from './field-rules.tsx'

/** How words of other systems become ours: codes of carriers, and fields of shop systems. */
export function Mappings() {
  return (
    <Page title={t('mappings.title')} lead={t('mappings.lead')}>
      <CarrierCodes />
      <FieldRules />
    </Page>
  )
}
