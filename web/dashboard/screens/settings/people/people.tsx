import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { readList } from '../../../app/api.ts'
import { useListQuery } from '../../../app/list-query.ts'
import { type Listed, listScreen } from '../../../app/list-screen.tsx'
import { useChangeOfList } from '../../../app/list-state.ts'
import { type Session, useSession } from '../../../app/session.ts'
import { Badge, type Tone } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import type { Column } from '../../../kit/list/table.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { t } from '../../../texts/texts.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { roleHere } from './roles-field.tsx'
import type { PeopleSearch } from './search.ts'

type Person = Schemas['Person']

const perPage = 50

/** Everyone with an account and access to this shop. */
export const People = listScreen<Person, PeopleSearch>({
  title: t('people.title'),
  lead: t('people.lead'),
  useRows: (slug, { q, page = 1 }) =>
    useListQuery({
      ...readList('/v1/people', { params: { query: { shop_slug: slug, q, page, per_page: perPage } } }),
      refetchInterval: false,
    }),
  perPage,
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name, email }) => name || email,
  useColumns: ({ slug }) => columnsOf(slug, useSession()),
  searchLabel: t('people.search'),
  besides: ['person'],
  // Somebody who was invited here is shown at once.
  keyOfList: ({ person }) => (person === 'new' ? person : undefined),
  create: { needs: 'admin', Button: Invite },
  Below: PersonInAddress,
  empty: { title: t('people.empty'), text: t('people.empty_text') },
})

function Invite() {
  const change: (change: PeopleSearch) => void = useChangeOfList()
  return (
    <Button variant="primary" icon="plus" onClick={() => change({ person: 'new' })}>
      {t('people.invite')}
    </Button>
  )
}

function PersonInAddress({ search: { person }, change, rows }: Listed<Person, PeopleSearch>) {
  const close = () => change({ person: undefined })
  if (person === undefined) return null
  if (person === 'new') return <InviteDialog onClose={close} />
  return <PersonDialog key={person} uuid={person} known={rows.find(({ uuid }) => uuid === person)} onClose={close} />
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
