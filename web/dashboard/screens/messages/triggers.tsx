import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Reply, read } from '../../app/api.ts'
import { type TriggerReceiver, triggerReceivers } from '../../app/integration-words.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { Table } from '../../kit/list/table.tsx'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonBox } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { conditionWords, receiverName, type Trigger } from './trigger-words.ts'

interface Row {
  receiver: TriggerReceiver
  isOn: boolean
  trigger: Trigger
}

export function Triggers() {
  const slug = useSlug()
  const isAdmin = useMay('admin')
  const query = useQuery(read('/v1/shops/{slug}/settings/bundle', { params: { path: { slug } } }))
  const create = isAdmin && (
    <ButtonLink
      variant="primary"
      icon="plus"
      to="/$slug/messages/triggers/$integration/$triggerId"
      params={{ slug, integration: 'webhook', triggerId: 'new' }}
    >
      {t('messages.new_trigger')}
    </ButtonLink>
  )
  const rows = query.data ? rowsOf(query.data) : []
  return (
    <Page title={t('nav.triggers')} lead={t('messages.triggers_lead')} actions={create}>
      {query.isPending ? (
        <SkeletonBox rows={6} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : rows.length === 0 ? (
        <Empty title={t('messages.no_triggers')} action={create}>
          {t('messages.no_triggers_text')}
        </Empty>
      ) : (
        <Table<Row>
          label={t('nav.triggers')}
          rows={rows}
          keyOf={({ trigger }) => trigger.id}
          nameOf={({ trigger }) => trigger.name}
          columns={[
            {
              name: 'name',
              label: t('messages.name'),
              cell: ({ receiver, trigger }) => (
                <Link
                  to="/$slug/messages/triggers/$integration/$triggerId"
                  params={{ slug, integration: receiver, triggerId: trigger.id }}
                >
                  {trigger.name}
                </Link>
              ),
            },
            { name: 'condition', label: t('messages.fires'), cell: ({ trigger }) => conditionWords(trigger) },
            { name: 'receiver', label: t('messages.sent_to'), cell: ({ receiver }) => receiverName(receiver) },
            {
              name: 'state',
              label: t('messages.state_label'),
              cell: ({ isOn }) =>
                isOn ? (
                  <Badge tone="good">{t('messages.trigger_on')}</Badge>
                ) : (
                  <Badge>{t('messages.trigger_off')}</Badge>
                ),
            },
          ]}
        />
      )}
    </Page>
  )
}

function rowsOf(bundle: Reply<'/v1/shops/{slug}/settings/bundle'>): Row[] {
  return triggerReceivers.flatMap((receiver) => {
    const { internal_triggers = [], status } = bundle.triggers.data[receiver] ?? {}
    return internal_triggers.map((trigger) => ({ receiver, trigger, isOn: status !== 'disabled' }))
  })
}
