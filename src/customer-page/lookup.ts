import { cachedSettings } from '../claims/withdrawals/settings-cache.ts'
import { countLookup } from '../orders/page-addresses/lookup-limits.ts'
import { pageToken } from '../orders/page-addresses/page-token.ts'
import { findProvenOrder } from '../orders/page-addresses/store.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { type Html, html } from '../platform/foundation/html.ts'
import { type Page, type PageRequest, type PageResponse, page, redirect } from '../platform/foundation/page-route.ts'
import { giveBackAttempts } from '../platform/store/attempts.ts'
import { renderLayout } from './layout.ts'
import { readTheme } from './theme.ts'
import { linkTo, type Viewer, viewerOf } from './viewer.ts'
import { renderLookupEntry } from './withdrawal/entry.ts'

/** The purpose of looking up an order. */
interface LookupPurpose {
  name: string
  route: `/track/{slug}${string}`
  /** The page of the order that it leads to, below the order's own. */
  below: string
  textsOf(viewer: Viewer): LookupTexts
  /** Rejects a request before anything is shown. */
  admit?(context: ShopContext): Promise<void>
}

/** The page on which customers find their order without its link. */
export function lookupPages(): Page[] {
  return lookupPair({
    name: 'lookup',
    route: '/track/{slug}',
    below: '',
    textsOf: ({ texts }) => ({
      title: texts.say('lookup.title'),
      lead: texts.say('lookup.lead'),
      submit: texts.say('lookup.submit'),
    }),
  })
}

/** The form, and what it is sent to. */
export function lookupPair(purpose: LookupPurpose): Page[] {
  const admit = (context: ShopContext) => purpose.admit?.(context) ?? Promise.resolve()
  return [
    page({
      name: `${purpose.name}Page`,
      route: `GET ${purpose.route}` as 'GET /track/{slug}', // every one of them names the shop
      async handle(context, request) {
        await admit(context)
        return show(context, request, purpose, { state: { number: request.query.number ?? '', proof: '' } })
      },
    }),
    page({
      name: purpose.below === '' ? 'lookUpOrder' : `${purpose.name}Order`,
      route: `POST ${purpose.route}` as 'POST /track/{slug}', // the same
      admit,
      handle: (context, request) => lookUp(context, request, purpose),
    }),
  ]
}

async function lookUp(context: ShopContext, request: PageRequest, purpose: LookupPurpose): Promise<PageResponse> {
  const number = fieldOf(request, 'number')
  const proof = fieldOf(request, 'proof')
  const given = { number, proof }
  const again = (state: Partial<LookupState>, status: number, headers: Record<string, string> = {}) =>
    show(context, request, purpose, { state: { ...given, ...state }, status, headers })
  if (number === '' || proof === '') return again({ isIncomplete: true }, 422)
  const counted = await countLookup(context, { clientAddress: request.clientAddress, ...given })
  if (counted.waitSeconds > 0) {
    const headers = { 'retry-after': String(counted.waitSeconds) }
    const { waitSeconds, takesEmail } = counted
    return again({ waitMinutes: Math.ceil(waitSeconds / 60), takesEmail }, 429, headers)
  }
  const order = await findProvenOrder(context, context.shop.id, given)
  // The same reply for a wrong number and a wrong proof, so that a guess does not reveal which orders exist.
  if (order === undefined) return again({ isUnknown: true }, 404)
  await giveBackAttempts(context, counted)
  const token = pageToken(context, { shopId: context.shop.id, orderId: order.id, nonce: order.page_nonce })
  return redirect(linkTo(viewerOf(context, request), `/track/${context.shop.slug}/${token}${purpose.below}`))
}

/** Without characters that PostgreSQL cannot store, and bounded in length. */
function fieldOf({ form }: PageRequest, name: string): string {
  return (form.get(name) ?? '').replaceAll('\0', '').trim().slice(0, 320)
}

interface ShownLookup {
  state: LookupState
  status?: number
  headers?: Record<string, string>
}

async function show(
  context: ShopContext,
  request: PageRequest,
  purpose: LookupPurpose,
  { state, status = 200, headers = {} }: ShownLookup,
): Promise<PageResponse> {
  const viewer = viewerOf(context, request)
  const { slug } = context.shop
  const address = purpose.route.replace('{slug}', slug)
  const texts = purpose.textsOf(viewer)
  const canWithdraw = purpose.below === '' && (await cachedSettings(context)).enabled
  return renderLayout({
    status,
    headers,
    title: texts.title,
    viewer,
    shop: context.shop,
    theme: await readTheme(context),
    address,
    main: renderLookup(
      { ...viewer, lookup: texts },
      linkTo(viewer, address),
      state,
      canWithdraw ? renderLookupEntry(viewer, slug) : undefined,
    ),
  })
}

/** The entered values and their problems. */
interface LookupState {
  number: string
  proof: string
  isIncomplete?: boolean
  isUnknown?: boolean
  waitMinutes?: number
  /** Whether the e-mail address would be accepted at once. */
  takesEmail?: boolean
}

/** The texts that differ by purpose. */
interface LookupTexts {
  title: string
  lead: string
  submit: string
}

function renderLookup(
  { texts, lookup }: Viewer & { lookup: LookupTexts },
  action: string,
  state: LookupState,
  further?: Html,
): Html {
  const missing = {
    number: state.isIncomplete && state.number === '' ? texts.say('lookup.missing_number') : undefined,
    proof: state.isIncomplete && state.proof === '' ? texts.say('lookup.missing_proof') : undefined,
  }
  const number = { name: 'number', label: texts.say('lookup.number'), hint: texts.say('lookup.number_hint') }
  const proof = { name: 'proof', label: texts.say('lookup.proof'), hint: texts.say('lookup.proof_hint') }
  return html`
    <div class="narrow">
      <div class="stack">
        <h1>${lookup.title}</h1>
        <p class="lead">${lookup.lead}</p>
      </div>
      ${renderProblem({ texts }, state)}
      <form class="card stack" method="post" action="${action}" novalidate>
        ${field(number, state.number, missing.number)}
        ${field(proof, state.proof, missing.proof)}
        <div>
          <button class="button" type="submit">${lookup.submit}</button>
        </div>
      </form>
      ${further}
    </div>`
}

function renderProblem(
  { texts }: Pick<Viewer, 'texts'>,
  { isIncomplete, isUnknown, waitMinutes, takesEmail }: LookupState,
): Html | undefined {
  const text = waitMinutes
    ? `${texts.count('lookup.wait', waitMinutes)}${takesEmail ? ` ${texts.say('lookup.wait_zip')}` : ''}`
    : isUnknown
      ? texts.say('lookup.not_found')
      : isIncomplete
        ? texts.say('lookup.problem')
        : undefined
  return text === undefined ? undefined : html`<p class="notice wrong" role="alert">${text}</p>`
}

function field(
  { name, label, hint }: { name: string; label: string; hint: string },
  value: string,
  problem: string | undefined,
): Html {
  const shown = problem === undefined ? undefined : html`<p class="problem" id="${name}-problem">${problem}</p>`
  const invalid = problem === undefined ? undefined : html` aria-invalid="true"`
  return html`
    <div class="field">
      <label for="${name}">${label}</label>
      <p class="hint" id="${name}-hint">${hint}</p>
      <input
        id="${name}"
        name="${name}"
        value="${value}"
        maxlength="320"
        required
        autocapitalize="off"
        autocomplete="off"
        spellcheck="false"
        aria-describedby="${name}-hint${problem === undefined ? '' : ` ${name}-problem`}"${invalid}>
      ${shown}
    </div>`
}
