import { ApiError, type ErrorKey, type Problem } from '../../platform/foundation/errors.ts'
import { createRepair, Warnings } from '../../platform/foundation/lenient.ts'
import { createValidator } from '../../platform/foundation/validate.ts'
import { getCarrier } from '../orders/fulfilment.ts'
import { checkUpsert } from '../orders/rules.ts'
import { OrderUpsert } from '../orders/schema.ts'
import type { FileColumn, Layout, Subject } from './columns.ts'
import { cellOf, type RowGroup } from './group-rows.ts'
import type { Row } from './read-rows.ts'
import type { ImportProblem } from './schema.ts'

/** The order of some rows: an upsert, or its problems. */
export interface BuiltOrder {
  upsert: OrderUpsert | undefined
  /** If there is an upsert: the problems of the parts that it omits. */
  problems: ImportProblem[]
  /** The cells of the file that caused an error of the upsert. */
  locate(error: ApiError): ImportProblem[]
}

/** The prefix of the locations of an upsert's problems; the rest is looked up in the file. */
export const fileLoc = ['body']

const validator = createValidator(OrderUpsert, 'body')
const repair = createRepair(OrderUpsert)

type Fields = Record<string, unknown>

/** Builds one upsert from the rows of an order, and checks all that can be checked without the store. */
export function buildOrder(group: RowGroup, layout: Layout): BuiltOrder {
  const draft = new Draft(layout)
  for (const row of group.rows) if (row.fault === undefined) draft.add(row)
  const warnings = new Warnings()
  const built = (problems: ImportProblem[], upsert?: OrderUpsert): BuiltOrder => ({
    upsert: problems.length === 0 ? upsert : undefined,
    problems: [...problems, ...draft.place(warnings.listed, 'invalid_payload')].sort(
      (left, right) => left.row - right.row,
    ),
    locate: (error) => draft.locate(error),
  })
  if (group.orderNumber === undefined) return built([...group.problems])
  const upsert = draft.upsert(group.orderNumber)
  if (!validator.isValid(upsert)) repair?.(upsert, fileLoc, warnings)
  const wrong = validator.problems(upsert)
  const problems = [...group.problems, ...draft.problems]
  if (wrong) return built([...problems, ...draft.place(wrong, 'invalid_payload')])
  const valid = upsert as OrderUpsert // its schema has just accepted it
  const check = (work: () => void) => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problems.push(...draft.locate(error))
    }
  }
  check(() => checkUpsert(valid, fileLoc))
  for (const [index, { carrier_reference }] of valid.trackings.entries()) {
    if (carrier_reference) check(() => getCarrier(carrier_reference, [...fileLoc, 'trackings', index]))
  }
  return built(problems, valid)
}

interface Cell {
  row: number
  column: string
  value: string
}

/** Collects the values of the rows of one order, and remembers the cell of each. */
class Draft {
  readonly problems: ImportProblem[] = []
  readonly #layout: Layout
  readonly #order: Fields = {}
  readonly #address: Fields = {}
  readonly #trackings: Fields[] = []
  readonly #products: Fields[] = []
  /** The product of a row is in the parcel of the row. */
  readonly #contents = new Map<Fields, Fields[]>()
  readonly #cells = new Map<string, Cell>()
  #firstRow = 0

  constructor(layout: Layout) {
    this.#layout = layout
  }

  add(row: Row): void {
    this.#firstRow ||= row.number
    if (row.hasSurplus) {
      const message = `has ${row.width} values, and the header names ${this.#layout.width} columns`
      this.problems.push({ row: row.number, column: null, value: null, key: 'invalid_payload', message })
    }
    this.#merge(row, 'order', this.#order, 'order')
    this.#merge(row, 'address', this.#address, 'order.address')
    const tracking = this.#addTracking(row)
    const product = this.#addProduct(row)
    if (tracking && product) this.#contents.set(tracking, [...(this.#contents.get(tracking) ?? []), product])
  }

  upsert(orderNumber: string): unknown {
    const isAddressGiven = Object.keys(this.#address).length > 0
    const { order_number: _number, ...others } = this.#order
    const isOrderGiven = isAddressGiven || this.#products.length > 0 || Object.keys(others).length > 0
    return {
      id: orderNumber,
      id_type: 'order_number',
      // Tracking numbers alone do not create an order.
      ...(isOrderGiven || this.#trackings.length === 0
        ? {
            order: {
              ...others,
              order_number: orderNumber,
              ...(isAddressGiven ? { address: this.#address } : {}),
              ...(this.#products.length > 0 ? { products: this.#products } : {}),
            },
          }
        : {}),
      trackings: this.#trackings.map((tracking) => {
        const products = this.#trackings.length > 1 ? this.#contents.get(tracking) : undefined
        return products ? { ...tracking, products } : tracking
      }),
    }
  }

  locate(error: ApiError): ImportProblem[] {
    if (error.problems.length > 0) return this.place(error.problems, error.key)
    const cell = this.#cellOf(['order', error.message.includes('external_id') ? 'external_id' : 'order_number'])
    return [{ ...cell, key: error.key, message: error.message }]
  }

  place(problems: Pick<Problem, 'loc' | 'msg'>[], key: ErrorKey): ImportProblem[] {
    return problems.map(({ loc, msg }) => ({ ...this.#cellOf(loc.slice(fileLoc.length)), key, message: msg }))
  }

  /** The cell that a location in the upsert comes from; if there is none, the column that it would be in. */
  #cellOf(loc: (string | number)[]): Pick<ImportProblem, 'row' | 'column' | 'value'> {
    for (let length = loc.length; length > 0; length -= 1) {
      const cell = this.#cells.get(loc.slice(0, length).join('.'))
      if (cell) return cell
    }
    const field = loc[0] === 'id' ? 'order_number' : loc.at(-1)
    const column = this.#layout.columns.find((known) => known.field === field)
    return { row: this.#firstRow, column: column?.header ?? null, value: column ? '' : null }
  }

  /** Every row may have values of the order and its address, but they must not contradict each other. */
  #merge(row: Row, subject: Subject, into: Fields, path: string): void {
    for (const { column, value, text } of this.#valuesOf(row, subject)) {
      const place = `${path}.${column.field}`
      const known = this.#cells.get(place)
      if (known === undefined) {
        into[column.field] = value
        this.#cells.set(place, { row: row.number, column: column.header, value: text })
      } else if (known.value !== text) {
        this.#complain(row, column, text, `differs from row ${known.row} of the same order`)
      }
    }
  }

  #addTracking(row: Row): Fields | undefined {
    const values = this.#valuesOf(row, 'tracking')
    const [first] = values
    if (first === undefined) return undefined
    const number = values.find(({ column }) => column.field === 'tracking_number')
    if (number === undefined) {
      this.#complain(row, first.column, first.text, 'belongs to a parcel, and the row has no tracking number')
      return undefined
    }
    let index = this.#trackings.findIndex((tracking) => tracking.tracking_number === number.value)
    if (index === -1) index = this.#trackings.push({}) - 1
    const tracking = this.#trackings[index] ?? {}
    for (const { column, value, text } of values) {
      if (tracking[column.field] !== undefined) continue
      tracking[column.field] = value
      const cell = { row: row.number, column: column.header, value: text }
      this.#cells.set(`trackings.${index}.${column.field}`, cell)
    }
    return tracking
  }

  #addProduct(row: Row): Fields | undefined {
    const values = this.#valuesOf(row, 'product')
    if (values.length === 0) return undefined
    const product: Fields = {}
    const index = this.#products.push(product) - 1
    for (const { column, value, text } of values) {
      product[column.field] = column.field === 'images' ? [{ src: value }] : value
      const cell = { row: row.number, column: column.header, value: text }
      this.#cells.set(`order.products.${index}.${column.field}`, cell)
    }
    return product
  }

  /** The values of a row for a subject, without empty cells. */
  #valuesOf(row: Row, subject: Subject): { column: FileColumn; value: unknown; text: string }[] {
    return this.#layout.columns
      .filter((column) => column.subject === subject)
      .map((column) => ({ column, text: cellOf(row, column) }))
      .filter(({ text }) => text !== '')
      .map(({ column, text }) => ({ column, text, value: this.#read(row, column, text) }))
      .filter(({ value }) => value !== undefined)
  }

  #read(row: Row, column: FileColumn, text: string): unknown {
    if (text.includes('\0') || text.includes('\ufffd')) {
      return this.#complain(row, column, text, 'is not UTF-8: save the file as CSV in UTF-8')
    }
    if (column.kind === 'list') return text.split('|').map((item) => item.trim())
    if (column.kind === 'integer') {
      return /^\d{1,9}$/.test(text) ? Number(text) : this.#complain(row, column, text, 'must be a whole number')
    }
    if (column.kind === 'number') {
      // 1,234 is ambiguous, so it is reported as a problem.
      const isPlain = /^-?\d{1,15}(\.\d{1,10})?$/.test(text) || /^-?\d{1,15},\d{1,2}$/.test(text)
      return isPlain
        ? Number(text.replace(',', '.'))
        : this.#complain(row, column, text, 'must be a number like 1234.50')
    }
    return text
  }

  #complain(row: Row, column: FileColumn, text: string, message: string): undefined {
    this.problems.push({ row: row.number, column: column.header, value: text, key: 'invalid_payload', message })
  }
}
