import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Reply, read, refreshMs } from '../../app/api.ts'
import { type Exception, whyOf } from '../../app/exception-words.tsx'
import { useMay, useSlug } from '../../app/session.ts'
import { labelOf } from '../../app/systems.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { RowActions } from '../exceptions/actions.tsx'
import { Need } from './need.tsx'

export type Attention = Reply<'/v1/shops/{slug}/attention'>

/** The matters that need a person, most serious first. Each says why, and has a link or a button that resolves it. */
export function Needs({ attention }: { attention: Attention }) {
  const { exceptions, claims, webhooks, integrations, unmapped_codes: unmapped, providers } = attention
  const isCalm =
    exceptions.length + claims.count + webhooks.count + integrations.length + unmapped.count + providers.length === 0
  if (isCalm) {
    return (
      <p className="calm">
        <Icon name="check" /> {t('home.calm')}
      </p>
    )
  }
  return (
    <section className="needs" aria-label={t('home.today')}>
      {exceptions.map((group) => (
        <Parcels key={group.kind} group={group} />
      ))}
      {claims.count > 0 && <Claims count={claims.count} />}
      <Webhooks webhooks={webhooks} />
      <Others attention={attention} />
    </section>
  )
}

type Group = Attention['exceptions'][number]

function Parcels({ group: { kind, count, parcels } }: { group: Group }) {
  const slug = useSlug()
  return (
    <Need
      icon={kind === 'waiting' ? 'clock' : 'alert'}
      isSerious={kind === 'lost' || kind === 'failed'}
      title={t(`home.kind.${kind}`, { count })}
      action={
        count > parcels.length && (
          <ButtonLink variant="quiet" isSmall to="/$slug/exceptions" params={{ slug }} search={{ kind } as never}>
            {t('home.show_all', { count })}
          </ButtonLink>
        )
      }
    >
      <ul className="need-rows" data-list>
        {parcels.map((parcel) => (
          <Parcel key={parcel.shipment_id} parcel={parcel} />
        ))}
      </ul>
    </Need>
  )
}

function Parcel({ parcel }: { parcel: Exception }) {
  const slug = useSlug()
  const mayAct = useMay('editor')
  return (
    <li className="need-row">
      <div className="grow">
        <p>
          <Link to="/$slug/shipments/$shipmentId" params={{ slug, shipmentId: parcel.shipment_id }} className="strong">
            {t('home.order', { number: parcel.order_number })}
          </Link>
          {parcel.customer_name && <span className="soft"> · {parcel.customer_name}</span>}
          {parcel.assigned_to && <span className="soft"> · {parcel.assigned_to}</span>}
        </p>
        <p className="soft">{whyOf(parcel)}</p>
      </div>
      {mayAct && <RowActions row={parcel} />}
    </li>
  )
}

function Webhooks({ webhooks: { count, endpoints } }: Pick<Attention, 'webhooks'>) {
  const slug = useSlug()
  if (count === 0) return null
  return (
    <Need icon="webhook" isSerious title={t('home.webhooks_failing', { count })}>
      {endpoints.length === 0 && <p className="soft">{t('home.ask_admin')}</p>}
      <ul className="need-rows" data-list>
        {endpoints.map(({ uuid, url, failing_since, waits_until, undelivered }) => (
          <li key={uuid} className="need-row">
            <div className="grow">
              <p className="truncate">
                <Link to="/$slug/messages/webhooks/$uuid" params={{ slug, uuid }} className="strong">
                  {url.replace(/^https?:\/\//, '')}
                </Link>
              </p>
              <p className="soft">
                {failing_since && rich('home.failing_since', { time: <RelativeTime at={failing_since} /> })}{' '}
                {waits_until && t('home.messages_wait')} {undelivered > 0 && t('home.given_up', { count: undelivered })}
              </p>
            </div>
            <ButtonLink isSmall to="/$slug/messages/webhooks/$uuid" params={{ slug, uuid }}>
              {t('home.open')}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Need>
  )
}

function Others({ attention: { integrations, unmapped_codes: unmapped, providers } }: { attention: Attention }) {
  const slug = useSlug()
  return (
    <>
      {integrations.map(({ integration, failing_since, undelivered }) => (
        <Need
          key={integration}
          icon="send"
          isSerious
          title={t('home.integration_failing', { integration: labelOf(integration) })}
          action={
            <ButtonLink isSmall to="/$slug/messages/integrations/$integration" params={{ slug, integration }}>
              {t('home.open')}
            </ButtonLink>
          }
        >
          <p className="soft">
            {failing_since && rich('home.failing_since', { time: <RelativeTime at={failing_since} /> })}{' '}
            {undelivered > 0 && t('home.given_up', { count: undelivered })}
          </p>
        </Need>
      ))}
      {providers.map(({ provider, failing_since, status }) => (
        <Need
          key={provider}
          icon="truck"
          isSerious
          title={t('home.provider_failing', { provider: labelOf(provider) })}
          action={
            <ButtonLink isSmall to="/$slug/carriers/providers/$provider" params={{ slug, provider }}>
              {t('home.open')}
            </ButtonLink>
          }
        >
          <p className="soft">
            {rich('home.failing_since', { time: <RelativeTime at={failing_since} /> })} {providerProblem(status)}
          </p>
        </Need>
      ))}
      {unmapped.count > 0 && (
        <Need
          icon="map"
          title={t('home.unmapped', { count: unmapped.count })}
          action={
            <ButtonLink isSmall to="/$slug/carriers/codes" params={{ slug }}>
              {t('home.map_codes')}
            </ButtonLink>
          }
        >
          <p className="soft">{t('home.unmapped_parcels', { count: unmapped.parcels })}</p>
        </Need>
      )}
    </>
  )
}

function providerProblem(status: number | null): string {
  if (status === null) return t('home.provider_silent')
  if (status === 401 || status === 403) return t('home.provider_rejects_credentials')
  if (status === 429) return t('home.provider_limits')
  if (status >= 500) return t('home.provider_broken')
  return t('home.provider_rejects', { status })
}

const shown = 3

/** Open claims, the oldest first: their customers wait. */
function Claims({ count }: { count: number }) {
  const slug = useSlug()
  const query = { status: 'pending', sort: 'created_at', per_page: shown } as const
  const { data } = useQuery({
    ...read('/v1/shops/{slug}/claims', { params: { path: { slug }, query } }),
    refetchInterval: 3 * refreshMs,
  })
  return (
    <Need icon="claim" title={t('home.claims_waiting', { count })}>
      {data ? (
        <ul className="need-rows" data-list>
          {data.claims.map((claim) => (
            <li key={claim.uuid} className="need-row">
              <div className="grow">
                <p>
                  <Link to="/$slug/claims/$uuid" params={{ slug, uuid: claim.uuid }} className="strong">
                    {t(`home.reason.${claim.reason}`)}
                  </Link>
                </p>
                <p className="soft">{rich('home.filed', { time: <RelativeTime at={claim.created_at} /> })}</p>
              </div>
            </li>
          ))}
          {count > data.claims.length && data.claims.length > 0 && (
            <li className="need-row">
              <Link to="/$slug/claims" params={{ slug }}>
                {t('home.and_more', { count: count - data.claims.length })}
              </Link>
            </li>
          )}
        </ul>
      ) : (
        <SkeletonLines count={2} />
      )}
    </Need>
  )
}
