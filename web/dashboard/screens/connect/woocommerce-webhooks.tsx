import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { CopyTable } from '../../kit/copy.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonBox } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { arrivedWords } from './arrived.tsx'
import type { ShopSystem } from './data.ts'
import { Instructions, marked } from './instructions.tsx'
import { RotateInboundSecret } from './rotate-inbound-secret.tsx'
import { Waiting } from './waiting.tsx'
import { WooCommerceWebhookList } from './webhook-list.tsx'

/** Created for the merchant if there is a key; by hand otherwise. The ping appears when a webhook is saved there. */
export function WooCommerceWebhooks({ system }: { system: ShopSystem }) {
  return (
    <>
      {system.has_credentials ? (
        <>
          <WooCommerceWebhookList system={system} />
          <details>
            <summary>{t('connect.woocommerce.by_hand')}</summary>
            <ByHand system={system} />
          </details>
        </>
      ) : (
        <ByHand system={system} />
      )}
      <Waiting arrived={arrivedWords(system)}>
        <p className="strong">{t('connect.woocommerce.waiting_ping')}</p>
        <p className="soft">{t('connect.woocommerce.waiting_ping_text')}</p>
      </Waiting>
      <details>
        <summary>{t('connect.woocommerce.no_ping')}</summary>
        <p className="soft">{t('connect.woocommerce.no_ping_text')}</p>
      </details>
    </>
  )
}

/** The fields of WooCommerce's form, in its order and with its names. */
function ByHand({ system }: { system: ShopSystem }) {
  const slug = useSlug()
  const mayRotate = useMay('admin')
  const [isRotating, setIsRotating] = useState(false)
  const config = useQuery(read('/v1/shops/{slug}/woocommerce/webhook-config', { params: { path: { slug } } }))
  return (
    <>
      <Instructions name="woocommerce" />
      {config.isError ? (
        <Problem error={config.error} retry={() => void config.refetch()} />
      ) : config.data ? (
        <>
          <CopyTable
            label={t('connect.woocommerce.form')}
            rows={[
              { name: t('connect.woocommerce.field.name'), value: 'Doorstep' },
              {
                name: t('connect.woocommerce.field.status'),
                value: t('connect.woocommerce.active'),
                isCopied: false,
              },
              {
                name: t('connect.woocommerce.field.topic'),
                value: t('connect.woocommerce.topic'),
                isCopied: false,
              },
              { name: t('connect.woocommerce.field.url'), value: system.webhooks.address },
              { name: t('connect.woocommerce.field.secret'), value: config.data.webhook_secret },
              { name: t('connect.woocommerce.field.version'), value: 'WP REST API Integration v3', isCopied: false },
            ]}
          />
          {mayRotate && (
            <div className="row">
              <Button onClick={() => setIsRotating(true)}>{t('connect.inbound_secret.rotate')}</Button>
            </div>
          )}
        </>
      ) : (
        <SkeletonBox rows={6} />
      )}
      <p>{marked(t('connect.woocommerce.repeat'))}</p>
      {isRotating && <RotateInboundSecret onClose={() => setIsRotating(false)} />}
    </>
  )
}
