import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, refresh } from '../../app/api.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { type Column, Table } from '../../kit/list/table.tsx'
import { Card } from '../../kit/page.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

type Session = Schemas['Session']

/** The sessions of this account or key. */
export function Sessions({ sessions }: { sessions: readonly Session[] }) {
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const others = sessions.filter(({ is_current }) => !is_current)
  const end = useMutation({
    mutationFn: (ended: readonly Session[]) =>
      Promise.all(ended.map(({ uuid }) => api.delete('/v1/session/{uuid}', { params: { path: { uuid } } }))),
    onSuccess: (_replies, ended) => toasts.done(t('account.sessions_ended', { count: ended.length })),
    onError: (error) => toasts.failed(error),
    onSettled: () => refresh(queryClient, '/v1/session'),
  })
  const columns: Column<Session>[] = [
    {
      name: 'browser',
      label: t('account.browser'),
      cell: (session) => (
        <span className="row">
          {browserName(session.user_agent)}
          {session.is_current && <Badge tone="good">{t('account.this_one')}</Badge>}
        </span>
      ),
    },
    { name: 'network', label: t('account.network'), cell: ({ network }) => <code>{network}</code> },
    { name: 'created', label: t('account.signed_in'), cell: (session) => <RelativeTime at={session.created_at} /> },
    {
      name: 'used',
      label: t('account.last_used'),
      cell: (session) => (session.is_current ? t('account.now') : <RelativeTime at={session.last_used_at} />),
    },
    {
      name: 'end',
      label: t('account.actions'),
      cell: (session) =>
        !session.is_current && (
          <Button isSmall isBusy={end.isPending} onClick={() => end.mutate([session])}>
            {t('account.end')}
          </Button>
        ),
    },
  ]
  return (
    <Card
      title={t('account.sessions')}
      aside={
        others.length > 0 && (
          <Button isSmall isBusy={end.isPending} onClick={() => end.mutate(others)}>
            {t('account.end_others', { count: others.length })}
          </Button>
        )
      }
    >
      <p className="soft">{t('account.sessions_text')}</p>
      <Table
        label={t('account.sessions')}
        columns={columns}
        rows={sessions}
        keyOf={({ uuid }) => uuid}
        nameOf={({ user_agent }) => browserName(user_agent)}
      />
    </Card>
  )
}

/** The first that matches: most browsers also name others. */
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const systems: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** "Firefox on Windows", as people would say it. */
function browserName(userAgent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser && system) return t('account.browser_on', { browser, system })
  return browser ?? system ?? t('account.unknown_browser')
}
