import type { TSchema } from '../foundation/schema.ts'
import { settingGroups } from './environment.ts'

/** The keywords of a setting's schema that the page shows. */
interface Shown {
  type?: string
  description?: string
  default?: string | number | boolean
  enum?: string[]
  minimum?: number
  maximum?: number
  'x-unset'?: string
  'x-secret'?: boolean
}

/** The guide's page of settings, as Markdown: written by `npm run generate:settings`. */
export function renderSettingsPage(): string {
  return `# Settings

Settings are environment variables. An invalid value stops the start with one line that names the setting and the problem. Switches take
\`on\` or \`off\`; sizes take \`10MB\` or bytes.

A secret may be in a file instead: \`ADMIN_API_KEY_FILE=/run/secrets/admin-key\` names the file that contains \`ADMIN_API_KEY\`. Every setting that
is called a secret below has such a variant. Line breaks at the end of the file do not count; a file that is missing or empty, or both variants at once,
stop the start.

\`\`\`sh settings
PORT=9000 LOG_LEVEL=warn BODY_LIMIT=20MB npm start
\`\`\`

This page is written from the declarations in \`src/platform/config/environment.ts\` by \`npm run generate:settings\`.
${settingGroups.map(({ title, settings }) => `\n## ${title}\n\n${tableOf(settings)}\n`).join('')}`
}

function tableOf(settings: Record<string, TSchema>): string {
  const rows = Object.entries(settings).map(([name, schema]) => {
    const shown = schema as Shown // every setting is declared with these keywords
    return `| \`${name}\` | ${defaultOf(shown)} | ${[shown.description, valuesOf(shown), shown['x-secret'] ? `A secret: \`${name}_FILE\` may name its file.` : ''].filter(Boolean).join(' ')} |`
  })
  return ['| setting | default | what it does |', '|---|---|---|', ...rows].join('\n')
}

function defaultOf({ type, default: value, 'x-unset': unset = 'unset' }: Shown): string {
  if (value === undefined) return unset
  if (type === 'boolean') return value ? '`on`' : '`off`'
  return `\`${typeof value === 'number' ? sizeOf(value) : value}\``
}

/** Large round numbers are sizes. */
function sizeOf(value: number): string {
  if (value >= 1_000_000_000) return `${value / 1_000_000_000}GB`
  return value >= 1_000_000 ? `${value / 1_000_000}MB` : String(value)
}

function valuesOf({ type, enum: values, minimum, maximum }: Shown): string {
  if (values) return `One of ${values.map((value) => `\`${value}\``).join(', ')}.`
  if (type === 'boolean') return 'A switch.'
  if (minimum === undefined || type === 'string') return ''
  const least = minimum.toLocaleString('en')
  return maximum === undefined ? `At least ${least}.` : `From ${least} to ${maximum.toLocaleString('en')}.`
}
