import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { read, refreshMs } from '../../../app/api.ts'
import { countries } from '../../../app/countries.ts'
import { basisWords, promiseDay } from '../../../app/promise-words.tsx'
import { useSlug } from '../../../app/session.ts'
import { SelectField, TextField } from '../../../kit/field.tsx'
import { formatCountry, formatShare, formatTime } from '../../../kit/format.ts'
import { Card, Facts } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { usePaused } from '../../../kit/use-paused.ts'
import { language, t } from '../../../texts/texts.ts'

type Promises = Schemas['DeliveryPromises']
type Promise_ = Promises['promises'][number]

interface PreviewProps {
  classes: readonly string[]
  /** The preview does not show unsaved changes. */
  isChanged: boolean
}

/** The promise that a customer would get now, with its basis. */
export function Preview({ classes, isChanged }: PreviewProps) {
  const slug = useSlug()
  const [country, setCountry] = useState('DE')
  const [zip, setZip] = useState('10115')
  const [shippingClass, setShippingClass] = useState('')
  const zipCode = usePaused(zip.trim())
  const query = useQuery({
    ...read('/v1/shops/{slug}/delivery-promises', {
      params: {
        path: { slug },
        query: {
          country_code: country,
          language: language(),
          ...(zipCode ? { zip_code: zipCode } : {}),
          ...(shippingClass ? { shipping_class: shippingClass } : {}),
        },
      },
    }),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
  const { data, error, isPlaceholderData } = query
  return (
    <Card title={t('promises.preview')}>
      <div className="form-grid">
        <SelectField
          label={t('promises.preview_country')}
          value={country}
          choices={countries.map((value) => ({ value, label: formatCountry(value) }))}
          onChange={setCountry}
        />
        <TextField label={t('promises.preview_zip')} maxLength={32} value={zip} onChange={setZip} />
        {classes.length > 0 && (
          <SelectField
            label={t('promises.preview_class')}
            value={shippingClass}
            choices={[
              { value: '', label: t('promises.preview_no_class') },
              ...classes.map((value) => ({ value, label: value })),
            ]}
            onChange={setShippingClass}
          />
        )}
      </div>
      {isChanged && <p className="small">{t('promises.preview_unsaved')}</p>}
      {error && !data ? <Problem error={error} retry={() => void query.refetch()} /> : null}
      {!data && !error && <SkeletonLines count={4} />}
      {data && (
        <div className={`stack ${isPlaceholderData ? 'is-old' : ''}`} aria-busy={isPlaceholderData}>
          <p className="soft">
            {t('promises.preview_lead', { place: [formatCountry(country), zipCode].join(' ').trim() })}
          </p>
          <Promised promises={data} />
        </div>
      )}
    </Card>
  )
}

function Promised({ promises: { promises, without_promise } }: { promises: Promises }) {
  if (promises.length === 0 && without_promise.length === 0) {
    return <p>{t('promises.preview_nothing')}</p>
  }
  return (
    <>
      <ul className="promise-preview stack">
        {promises.map((promise) => (
          <li key={promise.id} className="stack tight">
            <PromiseLines promise={promise} />
          </li>
        ))}
      </ul>
      {without_promise.map(({ method, reason }) => (
        <p key={method} className="small soft">
          {t(`promises.reason_${reason}`, { method })}
        </p>
      ))}
    </>
  )
}

function PromiseLines({ promise }: { promise: Promise_ }) {
  const carrier = [promise.carrier_name, promise.service].filter(Boolean).join(' · ')
  return (
    <>
      <h3>
        {promise.method} {carrier !== '' && <span className="soft small">{carrier}</span>}
      </h3>
      <p className="promise-text">{promise.text}</p>
      <Facts
        facts={[
          [t('promises.earliest'), promiseDay(promise.earliest)],
          [t('promises.likeliest'), promiseDay(promise.likeliest)],
          [t('promises.latest'), promiseDay(promise.latest)],
          [t('promises.share'), promise.share_by_latest === null ? undefined : formatShare(promise.share_by_latest)],
          [t('promises.basis'), basisWords(promise.basis, promise.sample_size)],
          [t('promises.order_by'), formatTime(promise.order_by)],
        ]}
      />
    </>
  )
}
