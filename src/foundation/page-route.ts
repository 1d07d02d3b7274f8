import type { Readable } from 'node:stream'
import type { Context, ShopContext } from './context.ts'
import type { ApiError } from './errors.ts'
import type { Html } from './html.ts'
import type { ContextFor, PathNames } from './operation.ts'

/** A page for people, as the list of a site holds it. */
export interface Page {
  name: string
  method: PageMethod
  path: string
  /** How many files its form may bring; 0 where it brings none. */
  files: number
  isShopScoped: boolean
  admit: ((context: Context, request: PageRequest) => Promise<unknown>) | undefined
  handle(context: Context, request: PageRequest): Promise<PageAnswer>
}

type PageMethod = 'GET' | 'POST'

/** What a browser asks for. */
export interface PageRequest<Names extends string = string> {
  method: 'GET' | 'HEAD' | 'POST'
  /** The address without its query. */
  address: string
  path: Record<Names, string>
  query: Readonly<Record<string, string | undefined>>
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The fields of a form, urlencoded or multipart; empty where there is none. */
  form: URLSearchParams
  files: readonly PageFile[]
  /** How large one of them may be. */
  fileLimitBytes: number
  /** Where the request comes from, behind a trusted proxy as that proxy says. */
  clientAddress: string
}

/** A file of a form. An input that nothing was chosen in brings none. */
export interface PageFile {
  field: string
  filename: string
  mediaType: string
  isTooLarge: boolean
  /** Its bytes, from wherever they wait until the page has been answered; not all where it is too large. */
  read(): Promise<Buffer>
}

/** What a browser gets: one of HTML, another text, a stream, or nothing but headers. */
export interface PageAnswer {
  status: number
  headers?: Record<string, string>
  html?: Html
  text?: string
  /** Ended when the service stops. */
  stream?: Readable
}

/** The pages that are mounted together, and what they show where something is refused. */
export interface Site {
  pages: readonly Page[]
  /** The page for a refusal. The shop is there where it was found. */
  refuse(context: Context & Partial<ShopContext>, request: PageRequest, refusal: ApiError): Promise<PageAnswer>
}

interface PageDeclaration<Route extends `${PageMethod} /${string}`> {
  name: string
  route: Route
  files?: number
  /** Refuses a request by its address, before a byte of its body is read. */
  admit?(context: ContextFor<Route>, request: PageRequest<PathNames<Route>>): Promise<unknown>
  handle(context: ContextFor<Route>, request: PageRequest<PathNames<Route>>): Promise<PageAnswer>
}

/** Declares a page. Its context has the shop where the route names one. */
export function page<const Route extends `${PageMethod} /${string}`>(declaration: PageDeclaration<Route>): Page {
  const [method = '', path = ''] = declaration.route.split(' ')
  return {
    name: declaration.name,
    method: method as PageMethod, // the route's type begins with one
    path,
    files: declaration.files ?? 0,
    isShopScoped: path.includes('{slug}'),
    // Mounting gives a handler the context and the path that its route calls for.
    admit: declaration.admit as unknown as Page['admit'],
    handle: declaration.handle as unknown as Page['handle'],
  }
}

/** Sends the browser elsewhere, with GET: after a form, or along a link that is counted. */
export function redirect(location: string): PageAnswer {
  return { status: 303, headers: { location } }
}
