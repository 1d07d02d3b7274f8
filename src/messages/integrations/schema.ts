import { integrationNames } from '../../adapters/marketing/registry.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'
import { failureReasons } from '../../delivery/queue/failure-reason.ts'
import { ReceiverHealth } from '../../delivery/queue/health-schema.ts'
import { Maybe, Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'

/** The marketing systems, and e-mail of our own. */
const names = [...integrationNames, mailReceiver] as const
export const integrationPath = { integration: OneOf(names) }

const testKinds = ['message', 'credentials'] as const
const TestKind = OneOf(testKinds, {
  description:
    'message: a sample event is sent for the given address; credentials: they are verified, and nothing is sent',
})

const IntegrationOverview = Named(
  'IntegrationOverview',
  Type.Object({
    integration: OneOf(names),
    name: Type.String({ examples: ['Klaviyo'] }),
    is_on: Type.Boolean({ description: 'Whether events are sent to it' }),
    has_credentials: Type.Boolean(),
    test: TestKind,
    health: ReceiverHealth,
  }),
)

export const IntegrationList = Named(
  'IntegrationList',
  Type.Object({
    integrations: Type.Array(IntegrationOverview, {
      description: 'All systems that there is an adapter for, and e-mail of our own (smtp) once it was set',
    }),
  }),
)

export const IntegrationTest = Named(
  'IntegrationTest',
  Type.Object({
    email: Maybe(
      Type.String({
        format: 'email',
        maxLength: 320,
        description:
          'The customer of the sample event, or the recipient of the e-mail; not needed if only credentials are verified',
        examples: ['you@shop.example'],
      }),
    ),
  }),
)

const testReasons = [...failureReasons, 'wrong_host', 'set_aside', 'skipped'] as const

export const IntegrationTestResult = Named(
  'IntegrationTestResult',
  Type.Object({
    ok: Type.Boolean(),
    test: TestKind,
    reason: Nullable(
      OneOf(testReasons, {
        description:
          'Why it did not work: as for attempts, and wrong_host: the URL is not on a host of this system; set_aside: the credentials were set for another host; skipped: the system does not need the event, and `message` says why',
        examples: ['unauthorized'],
      }),
    ),
    message: Type.String({ description: 'The same in a sentence', examples: ['Klaviyo returned 401.'] }),
    status_code: Nullable(Type.Integer({ examples: [401] })),
    answer: Nullable(Type.String({ description: 'The first kilobyte of the response', examples: ['{"errors":[]}'] })),
  }),
)
export type IntegrationTestResult = Static<typeof IntegrationTestResult>
