import type { Schemas } from 'doorstep-client'
import { t } from '../../texts/texts.ts'

/** Companies are called the same in every language; e-mail is not. */
export function integrationName({
  integration,
  name,
}: Pick<Schemas['IntegrationOverview'], 'integration' | 'name'>): string {
  return integration === 'smtp' ? t('messages.mail_name') : name
}
