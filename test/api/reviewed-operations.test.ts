import { describe, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import { errorStatus } from '../../src/platform/foundation/errors.ts'
import { isRepeatable, type Operation } from '../../src/platform/foundation/operation.ts'
import { type ReviewedOperation, readReviewedOperations } from '../harness/reviewed-operations.ts'

const reviewed = readReviewedOperations()

const declared = new Map(
  operations.map((operation) => [
    `${operation.method} ${operation.path}`,
    {
      needs: operation.needs,
      traits: traitsOf(operation),
      audit: auditOf(operation),
      errors: operation.errors.toSorted().join(', '),
    } satisfies ReviewedOperation,
  ]),
)

/** One line for each operation, so that a difference shows the route. */
const linesOf = (table: ReadonlyMap<string, ReviewedOperation>, column: keyof ReviewedOperation) =>
  [...table].map(([route, row]) => `${route}: ${row[column]}`).toSorted()

describe('declared operations, compared with the reviewed table', () => {
  it('are the ones that were reviewed, none missing and none more', () => {
    expect([...declared.keys()].toSorted()).toEqual([...reviewed.keys()].toSorted())
    expect(operations).toHaveLength(declared.size)
  })

  it('need the reviewed role', () => {
    expect(linesOf(declared, 'needs')).toEqual(linesOf(reviewed, 'needs'))
  })

  it('take an Idempotency-Key, a public key, a file or a signed body, read a replica and work while paused as reviewed', () => {
    expect(linesOf(declared, 'traits')).toEqual(linesOf(reviewed, 'traits'))
  })

  it('leave in the audit log what was reviewed', () => {
    expect(linesOf(declared, 'audit')).toEqual(linesOf(reviewed, 'audit'))
  })

  it('return the reviewed errors', () => {
    expect(linesOf(declared, 'errors')).toEqual(linesOf(reviewed, 'errors'))
  })
})

describe('error keys', () => {
  it('have the statuses of the contract', () => {
    const keysOf = (status: number) =>
      Object.entries(errorStatus).flatMap(([key, each]) => (each === status ? [key] : []))
    const statuses = new Set(Object.values(errorStatus))
    expect(Object.fromEntries([...statuses].map((status) => [status, keysOf(status).toSorted()]))).toEqual({
      // The other reason for invalid_merchant_or_key is 400: missing or malformed credentials.
      400: ['partner_key_missing_permissions'],
      401: ['invalid_merchant_or_key'],
      403: ['insufficient_rights', 'permission_denied'],
      404: [
        'a_b_test_not_found',
        'announcement_not_found',
        'api_key_not_found',
        'automation_not_found',
        'backfill_not_found',
        'campaign_not_found',
        'campaign_product_not_found',
        'claim_not_found',
        'deal_not_found',
        'delivery_not_found',
        'discount_not_found',
        'exception_not_found',
        'image_not_found',
        'import_not_found',
        'internal_trigger_not_found',
        'note_not_found',
        'order_not_found',
        'org_not_found',
        'partner_key_not_found',
        'product_not_found',
        'route_not_found',
        'session_not_found',
        'shipment_not_found',
        'shop_fixtures_not_found',
        'shop_not_found',
        'shop_settings_not_found',
        'suppression_not_found',
        'user_not_found',
        'view_not_found',
        'webhook_not_found',
      ],
      409: [
        'a_b_test_overlap',
        'announcement_exists',
        'automation_exists',
        'backfill_running',
        'campaign_active_segment_exists',
        'campaign_exists',
        'discount_exists',
        'discount_in_use',
        'order_exists',
        'org_exists',
        'shipment_exists',
        'shop_exists',
        'user_exists',
        'webhook_exists',
      ],
      410: ['cursor_expired'],
      415: ['image_media_unsupported'],
      422: ['campaign_type_invalid', 'carrier_reference_invalid', 'invalid_payload', 'zip_code_invalid'],
      429: ['rate_limited'],
      500: ['unexpected'],
      501: ['service_not_implemented'],
      502: ['bad_gateway'],
      503: ['store_unavailable'],
    })
  })
})

function traitsOf(operation: Operation): string {
  const { aliasPath, file, signed, expects } = operation
  return [
    aliasPath && `also ${aliasPath}`,
    operation.isPaged && 'paged',
    isRepeatable(operation) && 'takes Idempotency-Key',
    operation.takesPublicKey && 'takes public key',
    signed && (expects ? 'signed, checked before a large body' : 'signed'),
    operation.readsAuthorization && 'own Authorization',
    operation.reads === 'replica' && 'replica',
    operation.method !== 'GET' && operation.worksWhilePaused && 'while paused',
    operation.callsOut && 'calls out',
    file && (operation.uploadSink ? `streamed ${file}` : file === 'file' ? 'file' : `file ${file}`),
    operation.isBodyOptional && 'body optional',
    operation.successStatus !== 200 && String(operation.successStatus),
  ]
    .filter((trait) => typeof trait === 'string' && trait !== '')
    .join(', ')
}

function auditOf({ method, audit }: Operation): string {
  if (audit === undefined) return method === 'GET' ? '' : 'nothing declared'
  if ('none' in audit) return 'not audited'
  return [
    `${audit.kind}${audit.named ? ` by ${audit.named}` : ''}`,
    audit.only,
    audit.scope && `of the ${audit.scope}`,
    audit.read && 'fields',
    audit.readOfShops && 'fields of shops',
    audit.personal && `without ${audit.personal.join(' ')}`,
    audit.outcome && 'outcome',
    audit.isAct && 'act',
    audit.isRecordedAfter && 'afterwards',
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')
}
