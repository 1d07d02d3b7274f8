import type { ApiError } from 'doorstep-client'
import { useEffect, useRef } from 'react'
import { Banner, wordsOf } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'

/** Another record is in the way. */
export function ConflictBanner({ error }: { error: ApiError | undefined }) {
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) banner.current?.focus()
  }, [error])
  if (error === undefined) return null
  return (
    <div ref={banner} tabIndex={-1}>
      <Banner tone="wrong" title={t('kit.not_saved')}>
        <p>{wordsOf(error)}</p>
      </Banner>
    </div>
  )
}
