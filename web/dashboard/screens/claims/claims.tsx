import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSlug } from '../../app/session.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { ClaimDetail } from './claim.tsx'
import { type Claim, claimsQuery, isPending } from './query.ts'
import { Queue } from './queue.tsx'
import { ClaimTabs } from './tabs.tsx'

/** The desk: the queue on the left, the open claim on the right. On a phone, one after the other. */
export function Claims() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/claims' })
  const { uuid: named } = useParams({ strict: false })
  const navigate = useNavigate()
  const list = useQuery(claimsQuery(slug, search))
  const rows = list.data?.rows ?? []
  const isWide = useIsWide()
  const open = (next: Claim | undefined, replace = false) =>
    next
      ? navigate({ to: '/$slug/claims/$uuid', params: { slug, uuid: next.uuid }, search, replace, resetScroll: false })
      : navigate({ to: '/$slug/claims', params: { slug }, search, replace, resetScroll: false })
  const first = rows.find((row) => !isPending(row))
  const firstId = first?.uuid
  // There is room for one: the first that waits is open, and the address follows.
  const isFirstOpen = isWide && named === undefined && firstId !== undefined && !list.isPlaceholderData
  const uuid = isFirstOpen ? firstId : named
  useEffect(() => {
    if (isFirstOpen) void open(first, true)
  }, [isFirstOpen, firstId])
  return (
    <Page title={t('claims.title')} lead={t('claims.lead')} actions={<ClaimTabs />}>
      <div className={`desk ${uuid === undefined ? '' : 'has-open'}`}>
        <div className="desk-queue">
          <Queue list={list} search={search} openId={uuid} />
        </div>
        <div className="desk-claim">
          {uuid === undefined ? (
            !list.isPending && <Nothing isEmpty={rows.length === 0} />
          ) : (
            <>
              <nav className="back small desk-back" aria-label={t('kit.back')}>
                <Link to="/$slug/claims" params={{ slug }} search={search}>
                  {t('claims.title')}
                </Link>
              </nav>
              <ClaimDetail
                key={uuid}
                uuid={uuid}
                known={rows.find((row) => row.uuid === uuid)}
                onDecided={() => void open(nextOf(rows, uuid))}
              />
            </>
          )}
        </div>
      </div>
    </Page>
  )
}

function Nothing({ isEmpty }: { isEmpty: boolean }) {
  if (isEmpty) return null // the queue says it
  return <Empty title={t('claims.all_decided')}>{t('claims.all_decided_text')}</Empty>
}

/** The next one that waits: below this one, or else from the top. */
function nextOf(rows: readonly Claim[], uuid: string): Claim | undefined {
  const at = rows.findIndex((row) => row.uuid === uuid)
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))]
  return others.find((row) => !isPending(row))
}

/** Whether queue and claim stand side by side; the same width as in the styles. */
function useIsWide(): boolean {
  const [query] = useState(() => matchMedia('(min-width: 1000px)'))
  const [isWide, setWide] = useState(query.matches)
  useEffect(() => {
    const onChange = () => setWide(query.matches)
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [query])
  return isWide
}
