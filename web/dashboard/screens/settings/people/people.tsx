import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { readList } from '../../../app/api.ts'
import { type Session, useMay, useSession, useSlug } from '../../../app/session.ts'
import { Badge, type Tone } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { List } from '../../../kit/list/list.tsx'
import type { Column } from '../../../kit/list/table.tsx'
import { Page } from '../../../kit/page.tsx'
import { Empty } from '../../../kit/states.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { t } from '../../../texts/texts.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { roleHere } from './roles-field.tsx'

type Person = Schemas['Person']

const perPage = 50

/** Everyone with an account and access to this shop. */
export function People() {
  const slug = useSlug()
  const session = useSession()
  const search = useSearch({ from: '/signed-in/$slug/settings/people' })
  const navigate = useNavigate({ from: '/$slug/settings/people' })
  const { q, page = 1, person } = search
  const people = useQuery({
    ...readList('/v1/people', { params: { query: { shop_slug: slug, q, page, per_page: perPage } } }),
    placeholderData: keepPreviousData,
  })
  const open = (person: string | undefined) => void navigate({ search: (before) => ({ ...before, person }) })
  const invite = useMay('admin') && (
    <Button variant="primary" icon="plus" onClick={() => open('new')}>
      {t('people.invite')}
    </Button>
  )
  return (
    <Page title={t('people.title')} lead={t('people.lead')} actions={invite}>
      <List
        // Somebody who was invited here is shown at once.
        key={person === 'new' ? person : undefined}
        label={t('people.title')}
        query={people}
        columns={columnsOf(slug, session)}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name, email }) => name || email}
        search={{ q, page: search.page }}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        perPage={perPage}
        searchLabel={t('people.search')}
        empty={
          <Empty title={t('people.empty')} action={invite}>
            {t('people.empty_text')}
          </Empty>
        }
      />
      {person === 'new' && <InviteDialog onClose={() => open(undefined)} />}
      {person !== undefined && person !== 'new' && (
        <PersonDialog
          key={person}
          uuid={person}
          known={people.data?.rows.find(({ uuid }) => uuid === person)}
          onClose={() => open(undefined)}
        />
      )}
    </Page>
  )
}

const tones: Record<Person['status'], Tone> = { active: 'good', invited: 'late', disabled: 'neutral' }

function columnsOf(slug: string, session: Session): Column<Person>[] {
  return [
    {
      name: 'name',
      label: t('people.person'),
      cell: ({ uuid, name, email }) => (
        <span className="stack none">
          <Link from="/$slug/settings/people" search={(before) => ({ ...before, person: uuid })}>
            {name || email}
          </Link>
          {name && <span className="soft small">{email}</span>}
        </span>
      ),
    },
    { name: 'role', label: t('people.role_here'), cell: (person) => t(`role.${roleHere(person.shops, slug)}`) },
    {
      name: 'status',
      label: t('people.status'),
      cell: ({ status, email }) => (
        <span className="row">
          <Badge tone={tones[status]}>{t(`people.${status}`)}</Badge>
          {email === session.email && <span className="soft small">{t('people.you')}</span>}
        </span>
      ),
    },
    {
      name: 'factor',
      label: t('people.second_factor'),
      cell: ({ two_factor, signs_in_with }) =>
        signs_in_with === 'oidc' ? t('people.by_provider') : two_factor ? t('account.on') : t('account.off'),
    },
    {
      name: 'last',
      label: t('people.last_sign_in'),
      cell: ({ last_sign_in_at }) =>
        last_sign_in_at === null ? (
          <span className="soft">{t('people.never')}</span>
        ) : (
          <RelativeTime at={last_sign_in_at} />
        ),
    },
  ]
}
