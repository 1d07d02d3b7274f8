import { PagedQuery } from '../../platform/foundation/operation.ts'
import { roles } from '../../platform/foundation/roles.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { maxPasswordLength, minPasswordLength } from './password-rules.ts'

export const Email = Type.String({
  format: 'email',
  // No colon: an e-mail address is used as a user name.
  pattern: '^[^:\\s]+$',
  maxLength: 254,
  examples: ['mia@river-and-pine.example'],
})

export const PersonName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Mia Sommer'] })

export const NewPassword = Type.String({
  minLength: minPasswordLength,
  maxLength: maxPasswordLength,
  description: `${minPasswordLength} to ${maxPasswordLength} characters; not a common one, and not the e-mail address`,
  examples: ['seven parcels at dawn'],
})

const Role = OneOf(roles, { examples: ['editor'] })

const PersonShop = Type.Object({
  shop_slug: Type.String({
    maxLength: 255,
    examples: ['river-and-pine'],
    description: '`*` stands for all shops (only a superadmin gives such a role)',
  }),
  role: Role,
})

const PersonShops = Type.Array(PersonShop, {
  minItems: 1,
  maxItems: 100,
  description: 'The role in each shop. `superadmin` is a role for all shops only.',
})

export const PersonInvitation = Named(
  'PersonInvitation',
  Type.Object({
    email: Email,
    name: Maybe(PersonName),
    shops: PersonShops,
  }),
)

export const PersonUpdate = Named(
  'PersonUpdate',
  Type.Object({
    name: Type.Optional(PersonName),
    shops: Type.Optional(PersonShops),
    is_disabled: Type.Optional(
      Type.Boolean({ description: 'A disabled person cannot sign in; their sessions end at once', examples: [false] }),
    ),
    two_factor: Type.Optional(
      Type.Boolean({
        description: 'Only `false`: switches the second factor off, for a person who has lost their device',
        examples: [false],
      }),
    ),
  }),
)
export type PersonUpdate = Static<typeof PersonUpdate>

export const PersonFilter = PagedQuery({
  shop_slug: Type.Optional(
    Type.String({ maxLength: 255, description: 'Only people with access to this shop', examples: ['river-and-pine'] }),
  ),
  q: Type.Optional(Type.String({ maxLength: 100, description: 'A part of the name or the e-mail address' })),
})
export type PersonFilter = Static<typeof PersonFilter>

export const Person = Named(
  'Person',
  Type.Object({
    uuid: Uuid,
    email: Type.String({ examples: ['mia@river-and-pine.example'] }),
    name: Type.String({
      description: 'Empty until the invitation is accepted, unless one was given',
      examples: ['Mia Sommer'],
    }),
    shops: Type.Array(PersonShop, { description: 'Those that the caller administers; `*` stands for all shops' }),
    status: OneOf(['invited', 'active', 'disabled'], { examples: ['active'] }),
    signs_in_with: OneOf(['password', 'oidc'], { examples: ['password'] }),
    two_factor: Type.Boolean({ examples: [true] }),
    created_at: DateTime,
    last_sign_in_at: Nullable(DateTime),
    open_link: Nullable(
      Type.Object({ kind: OneOf(['invitation', 'reset'], { examples: ['invitation'] }), expires_at: DateTime }),
    ),
    session_count: Type.Integer({ minimum: 0, examples: [2], description: 'Sessions that would end with the account' }),
    can_manage: Type.Boolean({
      examples: [true],
      description:
        'Whether the caller may change this person. If not, the person has rights that the caller does not have, and the caller can only remove their role in the shops that both share.',
    }),
  }),
)
export type Person = Static<typeof Person>

export const PersonLink = Named(
  'PersonLink',
  Type.Object({
    person: Person,
    link: Type.String({
      format: 'uri',
      description: 'Works once, and is shown only here.',
      examples: ['https://doorstep.example/dashboard/invitation#token=b7Vw0n3mQm2s8cZ1yT4kXq6rJ9dLhU5gPfEoAiNvKxY'],
    }),
    expires_at: DateTime,
    mailed: Type.Boolean({
      description:
        'Whether the link is sent to the person by e-mail. False if no mail account is configured: send it yourself. The account of a shop is used only for people of that shop alone.',
      examples: [true],
    }),
  }),
)

export const RemovedPerson = Named(
  'RemovedPerson',
  Type.Object({
    uuid: Uuid,
    is_deleted: Type.Boolean({
      examples: [true],
      description: 'False if the person keeps roles in other shops, and with them the account',
    }),
    shops: Type.Array(Type.String(), {
      description: 'The shops that the person has lost',
      examples: [['river-and-pine']],
    }),
    sessions_ended: Type.Integer({ minimum: 0, examples: [2] }),
  }),
)

export const Colleague = Named(
  'Colleague',
  Type.Object({
    name: Type.String({ examples: ['Mia Sommer'] }),
    kind: OneOf(['person', 'key'], { examples: ['person'] }),
  }),
)
export type Colleague = Static<typeof Colleague>
