/**
 * The sections of a shop file, and the operations that read and change them. The schema of the file is generated from
 * these operations. Paths are below `/v1/shops/{slug}`.
 */

/** A group of settings: one value that always exists. */
export interface SettingGroup {
  read: string
  /** The field of the reply that has it; default: the reply itself. */
  at?: string
  write: string
  /** The field of the body that has it. */
  under?: string
}

/** The profile of the shop, which is a section of its own. */
export const profile: SettingGroup = { read: '/profile', write: 'PATCH ' }

export const settingGroups: Readonly<Record<string, SettingGroup>> = {
  brand_palette: { read: '/settings', at: 'brand_palette', write: 'PATCH /settings/brand-palette' },
  campaigns: { read: '/settings/bundle', at: 'campaigns', write: 'PATCH /settings/campaigns' },
  carriers: { read: '/settings', at: 'carriers', write: 'PATCH /settings/carriers' },
  tracking_providers: { read: '/settings/carriers/providers', write: 'PATCH /settings/carriers/providers' },
  calendar: { read: '/settings/calendar', write: 'PUT /settings/calendar' },
  delivery_promises: { read: '/delivery-promises/settings', write: 'PATCH /delivery-promises/settings' },
  delivery_target: { read: '/settings/delivery-target', write: 'PATCH /settings/delivery-target' },
  exceptions: { read: '/settings/exceptions', write: 'PATCH /settings/exceptions' },
  mail: { read: '/settings/mail', write: 'PATCH /settings/mail' },
  team_mail: { read: '/settings/team-mail', write: 'PATCH /settings/team-mail' },
  withdrawal: { read: '/settings/withdrawal', write: 'PATCH /settings/withdrawal' },
  shop_systems: { read: '/settings/shop-systems', write: 'PATCH /settings/shop-systems' },
  mappings: { read: '/settings/mappings', at: 'data', write: 'PUT /settings/mappings', under: 'data' },
}

/** A list of things that a shop has any number of. */
export interface ListSection {
  /** The word for one of them. */
  noun: string
  list: string
  create: string
  /** Undefined: it has nothing but its key. */
  update?: string
  remove: string
  /** The field of the reply that has its id. */
  id: string
  /** The fields that identify it in the file. */
  key: readonly string[]
  /** Sent when it is created, and never returned. */
  writeOnce?: readonly string[]
  /** Lists of names with values that are never returned: only the names can be compared. */
  hiddenValues?: readonly string[]
  /** Set when it is created, and never changed. */
  fixed?: readonly string[]
  /** It belongs to a discount, which the file names by its code: whether it needs one. */
  discount?: 'required' | 'optional'
}

export const listSections: Readonly<Record<string, ListSection>> = {
  discounts: {
    noun: 'discount',
    list: '/discounts',
    create: 'POST /discounts',
    update: 'PATCH /discounts/{id}',
    remove: 'DELETE /discounts/{id}',
    id: 'uuid',
    key: ['code'],
    fixed: ['type'],
  },
  campaigns: {
    noun: 'campaign',
    list: '/campaigns',
    create: 'POST /campaigns',
    update: 'PUT /campaigns/{id}',
    remove: 'DELETE /campaigns/{id}',
    id: 'uuid',
    key: ['name'],
    discount: 'optional',
  },
  deals: {
    noun: 'deal',
    list: '/deals',
    create: 'POST /deals',
    update: 'PATCH /deals/{id}',
    remove: 'DELETE /deals/{id}',
    id: 'uuid',
    key: ['discount', 'title'],
    discount: 'required',
  },
  announcements: {
    noun: 'announcement',
    list: '/lists/announcements',
    create: 'POST /announcements',
    remove: 'DELETE /announcements/{id}',
    id: 'uuid',
    key: ['language', 'text'],
  },
  webhooks: {
    noun: 'webhook',
    list: '/webhooks',
    create: 'POST /webhooks',
    update: 'PATCH /webhooks/{id}',
    remove: 'DELETE /webhooks/{id}',
    id: 'uuid',
    key: ['url'],
    writeOnce: ['secret'],
    hiddenValues: ['headers'],
  },
  automations: {
    noun: 'automation',
    list: '/automations',
    create: 'POST /automations',
    update: 'PUT /automations/{id}',
    remove: 'DELETE /automations/{id}',
    id: 'uuid',
    key: ['name'],
  },
}

/** The internal triggers of an integration, which are in the file below it. */
export function internalTriggersOf(integration: string): ListSection {
  const path = `/settings/triggers/${integration}/internal-triggers`
  return {
    noun: `internal trigger of ${integration}`,
    list: path,
    create: `POST ${path}`,
    update: `PATCH ${path}/{id}`,
    remove: `DELETE ${path}/{id}`,
    id: 'id',
    key: ['name'],
  }
}

/** Fields of credentials that are no secrets: the API shows them, and so may a file. */
export const plainCredentials: readonly string[] = [
  'store_url',
  'host',
  'port',
  'security',
  'from_name',
  'from_address',
  'reply_to',
]

/** Fields that a file cannot have: they are the caller's own, are in another language, or mean something else here. */
export const leftOut = { profile: ['description'], internalTriggers: ['apply_to_existing'] } as const

/** The lists whose items a file that extends another one changes by their key. */
export function keyOf(path: readonly string[]): readonly string[] | undefined {
  const [section = '', , third] = path
  if (path.length === 1 && Object.hasOwn(listSections, section)) return listSections[section]?.key
  return section === 'integrations' && third === 'internal_triggers' ? ['name'] : undefined
}
