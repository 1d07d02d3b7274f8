import { useQuery } from '@tanstack/react-query'
import { read } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { ButtonAnchor } from '../../kit/button.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { LiveCheck } from './check.tsx'
import { type ShopSystem, useCheck } from './data.ts'
import { Instructions } from './instructions.tsx'
import { storeWords } from './store-words.ts'
import { SystemPage } from './system-page.tsx'
import { Waiting } from './waiting.tsx'
import { WebhookProblem } from './webhook-list.tsx'

export function Shopware() {
  const app = useShopwareApp()
  return (
    <SystemPage
      name="shopware"
      steps={(system) => [
        {
          name: 'download',
          title: t('connect.shopware.download'),
          // The app is created at its first download.
          isDone: app.data?.name != null,
          summary: t(app.data?.name != null ? 'connect.shopware.downloaded' : 'connect.shopware.download_summary'),
          children: <Download onDownload={() => void app.refetch()} />,
        },
        {
          name: 'install',
          title: t('connect.shopware.install'),
          isDone: app.data?.is_connected === true && system.state !== 'failing',
          isWrong: system.state === 'failing',
          summary: storeWords(system) ?? t('connect.shopware.install_summary'),
          children: <Install system={system} />,
        },
      ]}
    />
  )
}

function useShopwareApp() {
  const slug = useSlug()
  return useQuery({ ...read('/v1/shops/{slug}/shopware/app', { params: { path: { slug } } }), refetchInterval: 2_000 })
}

function Download({ onDownload }: { onDownload: () => void }) {
  const slug = useSlug()
  const path = `/v1/shops/${encodeURIComponent(slug)}/shopware`
  return (
    <>
      <p>{t('connect.shopware.download_text')}</p>
      <div className="row">
        <ButtonAnchor variant="primary" icon="download" href={`${path}/app.zip`} download onClick={onDownload}>
          {t('connect.shopware.download_zip')}
        </ButtonAnchor>
        <ButtonAnchor href={`${path}/manifest.xml`} download onClick={onDownload}>
          {t('connect.shopware.download_manifest')}
        </ButtonAnchor>
      </div>
      <p className="help">{t('connect.shopware.download_help')}</p>
    </>
  )
}

function Install({ system }: { system: ShopSystem }) {
  const app = useShopwareApp()
  const check = useCheck('shopware')
  const connection = app.data
  return (
    <>
      <WebhookProblem system={system} />
      <Instructions name="shopware" />
      <details>
        <summary>{t('connect.shopware.console')}</summary>
        <Instructions name="shopware_console" />
      </details>
      <Waiting
        arrived={
          connection?.is_connected && connection.connected_at !== null
            ? rich('connect.shopware.connected', {
                url: <strong>{connection.shop_url}</strong>,
                version: connection.shopware_version ?? '6',
                time: <RelativeTime at={connection.connected_at} />,
              })
            : undefined
        }
      >
        <p className="strong">{t('connect.shopware.waiting')}</p>
        <p className="soft">{t('connect.shopware.waiting_text')}</p>
      </Waiting>
      {connection?.is_connected && <LiveCheck system="shopware" check={check} known={system.problem} />}
    </>
  )
}
