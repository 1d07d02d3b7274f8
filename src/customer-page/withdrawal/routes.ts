import { findOrderToWithdraw } from '../../claims/withdrawals/find.ts'
import { findReceipt, type ReceiptRecord } from '../../claims/withdrawals/order-store.ts'
import { isLate } from '../../claims/withdrawals/rules.ts'
import { cachedSettings } from '../../claims/withdrawals/settings-cache.ts'
import { stateWithdrawal } from '../../claims/withdrawals/statement.ts'
import { findMailAccount } from '../../credentials/mail-account/account.ts'
import { findOrderByToken } from '../../orders/page-addresses/store.ts'
import { networkOf } from '../../platform/foundation/client-network.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import type { Html } from '../../platform/foundation/html.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { type Page, type PageRequest, type PageResponse, page, redirect } from '../../platform/foundation/page-route.ts'
import { type Attempt, AttemptCounter, type AttemptLimit, type CountedAttempt } from '../../platform/store/attempts.ts'
import { claimStyle } from '../claim/style.ts'
import { renderLayout } from '../layout.ts'
import { lookupPair } from '../lookup.ts'
import { readTheme } from '../theme.ts'
import { linkTo, viewerOf } from '../viewer.ts'
import { checkForm, readValues } from './check-form.ts'
import { receiptText, renderReceipt } from './receipt.ts'
import { renderConfirmation } from './render-confirm.ts'
import { renderForm } from './render-form.ts'
import { claimOfReceipt, openStatement, receiptName, signStatement } from './signed-statement.ts'
import { statementLines } from './statement.ts'
import { withdrawalStyle } from './style.ts'
import { withdrawalTexts } from './texts.ts'
import {
  type CheckedStatement,
  emptyWithdrawal,
  type WithdrawalProblem,
  type WithdrawalValues,
  type WithdrawalVisit,
} from './view.ts'

type OrderRequest = PageRequest<'slug' | 'token'>

/** The withdrawal function: the order is found, the statement is made, it is confirmed, and its receipt is shown. */
export function withdrawalPages(): Page[] {
  const limits = createConfirmationLimits()
  return [
    ...lookupPair({
      name: 'withdrawalLookup',
      route: '/track/{slug}/withdrawal',
      below: '/withdrawal',
      textsOf: ({ language }) => {
        const texts = withdrawalTexts(language)
        return {
          title: texts.say('lookup.title'),
          lead: texts.say('lookup.lead'),
          submit: texts.say('lookup.submit'),
        }
      },
      admit: requireEnabled,
    }),
    page({
      name: 'withdrawalForm',
      route: 'GET /track/{slug}/{token}/withdrawal',
      async handle(context, request) {
        return respondWithForm(context, await visitOf(context, request), { values: emptyWithdrawal })
      },
    }),
    page({
      name: 'sendWithdrawal',
      route: 'POST /track/{slug}/{token}/withdrawal',
      admit: visitOf,
      handle: (context, request) => handleStep(context, request, limits),
    }),
    page({
      name: 'withdrawalReceipt',
      route: 'GET /track/{slug}/{token}/withdrawal/{receipt}',
      async handle(context, request) {
        const visit = await visitOf(context, request)
        const record = await getReceipt(context, visit, request.path.receipt)
        const address = `${visit.formAddress}/${request.path.receipt}`
        const main = renderReceipt(visit, record, linkTo(visit.viewer, `${address}/text`))
        return respond(context, visit, { title: visit.texts.say('receipt.title'), main, address })
      },
    }),
    page({
      name: 'withdrawalReceiptText',
      route: 'GET /track/{slug}/{token}/withdrawal/{receipt}/text',
      async handle(context, request) {
        const visit = await visitOf(context, request)
        const record = await getReceipt(context, visit, request.path.receipt)
        const order = visit.order.order_number.replaceAll(/[^\w.-]+/g, '-')
        const filename = `${visit.texts.say('receipt.file', { order })}.txt`
        return {
          status: 200,
          headers: {
            'content-type': 'text/plain; charset=utf-8',
            'content-disposition': `attachment; filename="${filename.replaceAll(/[^\w.-]+/g, '-')}"`,
            'cache-control': 'no-store',
          },
          text: receiptText(visit, record),
        }
      },
    }),
  ]
}

async function handleStep(
  context: ShopContext,
  request: OrderRequest,
  limits: ConfirmationLimits,
): Promise<PageResponse> {
  const visit = await visitOf(context, request)
  const step = request.form.get('step')
  if (step === 'confirm' || step === 'change') {
    const statement = openStatement(context, visit.order.id, request.form.get('statement') ?? '')
    if (statement === undefined) {
      return respondWithForm(context, visit, { values: emptyWithdrawal, problems: [changed(visit)], status: 422 })
    }
    if (step === 'change') return respondWithForm(context, visit, { values: valuesOf(statement) })
    const { clientAddress } = request
    return confirm(context, visit, statement, () => limits.count(context, { clientAddress, orderId: visit.order.id }))
  }
  const values = readValues(request.form, visit.items)
  const { problems, items } = checkForm(visit, values)
  if (visit.obstacle !== undefined) return respondWithForm(context, visit, { values, status: 409 })
  if (problems.length > 0) return respondWithForm(context, visit, { values, problems, status: 422 })
  const { name, email, scope = 'all' } = values
  const statement: CheckedStatement = { id: newId(context.now), name, email, scope, items }
  const main = renderConfirmation(visit, statement, signStatement(context, visit.order.id, statement))
  return respond(context, visit, { title: visit.texts.say('title.confirm'), main, address: visit.formAddress })
}

async function confirm(
  context: ShopContext,
  visit: WithdrawalVisit,
  statement: CheckedStatement,
  countAttempt: () => Promise<CountedAttempt>,
): Promise<PageResponse> {
  const { order, texts, viewer, formAddress } = visit
  const receipt = linkTo(viewer, `${formAddress}/${receiptName(context, order.id, statement.id)}`)
  if (await findReceipt(context, statement.id)) return redirect(receipt)
  const { waitSeconds } = await countAttempt()
  if (waitSeconds > 0) {
    const problem: WithdrawalProblem = { field: 'send', text: texts.count('error.wait', Math.ceil(waitSeconds / 60)) }
    const headers = { 'retry-after': String(waitSeconds) }
    return respondWithForm(context, visit, { values: valuesOf(statement), problems: [problem], status: 429, headers })
  }
  const outcome = await stateWithdrawal(context, {
    id: statement.id,
    orderId: order.id,
    name: statement.name,
    email: statement.email,
    language: viewer.language,
    items: statement.items,
    text: statementLines(visit, statement.items).join('\n'),
  })
  if (outcome === 'changed') {
    return respondWithForm(context, visit, { values: valuesOf(statement), problems: [changed(visit)], status: 409 })
  }
  return redirect(receipt)
}

function changed({ texts }: WithdrawalVisit): WithdrawalProblem {
  return { field: 'send', text: texts.say('error.changed') }
}

function valuesOf({ name, email, scope, items }: CheckedStatement): WithdrawalValues {
  const quantities = scope === 'all' ? [] : items.map(({ key, quantity }) => [key, String(quantity)] as const)
  return { name, email, scope, quantities: new Map(quantities) }
}

async function getReceipt(context: ShopContext, { order }: WithdrawalVisit, name: string): Promise<ReceiptRecord> {
  const claimId = claimOfReceipt(context, order.id, name)
  const record = claimId === undefined ? undefined : await findReceipt(context, claimId)
  if (record === undefined) throw noSuchPage()
  return record
}

async function requireEnabled(context: ShopContext): Promise<void> {
  if (!(await cachedSettings(context)).enabled) throw noSuchPage()
}

async function visitOf(context: ShopContext, request: OrderRequest): Promise<WithdrawalVisit> {
  await requireEnabled(context)
  const named = await findOrderByToken(context, request.path.token)
  const found = named?.shopId === context.shop.id ? await findOrderToWithdraw(context, named.orderId) : undefined
  if (found === undefined) throw new ApiError('order_not_found', 'This address leads to no order.')
  const viewer = viewerOf(context, request)
  const orderAddress = `/track/${context.shop.slug}/${request.path.token}`
  return {
    ...found,
    viewer,
    texts: withdrawalTexts(viewer.language),
    shop: context.shop,
    isLate: isLate(found.period, context.now),
    hasMail: (await findMailAccount(context, context.shop.id)) !== undefined,
    orderAddress,
    formAddress: `${orderAddress}/withdrawal`,
  }
}

function noSuchPage(): ApiError {
  return new ApiError('route_not_found', 'There is no such page.')
}

interface ShownForm {
  values: WithdrawalValues
  problems?: readonly WithdrawalProblem[]
  status?: number
  headers?: Record<string, string>
}

function respondWithForm(
  context: ShopContext,
  visit: WithdrawalVisit,
  { values, problems = [], status = 200, headers = {} }: ShownForm,
): Promise<PageResponse> {
  const title = visit.texts.say('title')
  return respond(context, visit, {
    title: problems.length > 0 ? visit.texts.say('title.error', { title }) : title,
    main: renderForm({ ...visit, values, problems }),
    address: visit.formAddress,
    status,
    headers,
  })
}

interface Shown {
  title: string
  main: Html
  address: string
  status?: number
  headers?: Record<string, string>
}

async function respond(context: ShopContext, { viewer }: WithdrawalVisit, shown: Shown): Promise<PageResponse> {
  return renderLayout({
    status: 200,
    ...shown,
    viewer,
    theme: await readTheme(context),
    shop: context.shop,
    styles: [claimStyle, withdrawalStyle],
  })
}

/** Limits how often somebody confirms: each makes a claim and a message to an address that they choose. */
interface ConfirmationLimits {
  count(context: ShopContext, confirmation: { clientAddress: string; orderId: string }): Promise<CountedAttempt>
}

const windowMs = 10 * minuteMs
const ofAddress: AttemptLimit = { name: 'withdrawals from an address', limit: 30, windowMs }
const ofOrder: AttemptLimit = { name: 'withdrawals of an order', limit: 10, windowMs }

function createConfirmationLimits(): ConfirmationLimits {
  const counter = new AttemptCounter()
  return {
    count(context, { clientAddress, orderId }) {
      const { id } = context.shop
      const attempts: Attempt[] = [
        { limit: ofAddress, subject: `${id} ${networkOf(clientAddress)}` },
        { limit: ofOrder, subject: `${id} ${orderId}` },
      ]
      return counter.count(context, attempts)
    },
  }
}
