import { Card } from '../../kit/page.tsx'
import { t } from '../../texts/texts.ts'
import { Copyable } from './exchange.tsx'

const example = `import { createHmac, timingSafeEqual } from 'node:crypto'

// headers and rawBody as they arrived: the body before it is parsed
export function isFromDoorstep(headers, rawBody, secret) {
  const signed = \`\${headers['webhook-id']}.\${headers['webhook-timestamp']}.\${rawBody}\`
  const expected = createHmac('sha256', secret).update(signed).digest()
  return headers['webhook-signature'].split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`

/** How a developer checks that a message is ours. */
export function Verification() {
  return (
    <Card title={t('messages.verify')}>
      <p>{t('messages.verify_text')}</p>
      <details>
        <summary>{t('messages.verify_example')}</summary>
        <Copyable label={t('messages.verify_example')} text={example} />
      </details>
    </Card>
  )
}
