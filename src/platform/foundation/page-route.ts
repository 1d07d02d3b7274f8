import type { Readable } from 'node:stream'
import type { Context, ShopContext } from './context.ts'
import type { ApiError } from './errors.ts'
import type { Html } from './html.ts'
import type { ContextFor, PathNames } from './operation.ts'
import type { PublicDocument } from './public-document.ts'

/** A page of a site. */
export interface Page {
  name: string
  method: PageMethod
  path: string
  /** How many files its form may have. */
  files: number
  isShopScoped: boolean
  /** Its address contains the token of a link, which `admit` verifies. */
  needsLink: boolean
  admit: ((context: Context, request: PageRequest) => Promise<unknown>) | undefined
  handle(context: Context, request: PageRequest): Promise<PageResponse>
}

type PageMethod = 'GET' | 'POST'

/** A browser's request. */
export interface PageRequest<Names extends string = string> {
  method: 'GET' | 'HEAD' | 'POST'
  /** The address without its query. */
  address: string
  path: Record<Names, string>
  query: Readonly<Record<string, string | undefined>>
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The fields of a form, urlencoded or multipart; empty if there is none. */
  form: URLSearchParams
  files: readonly PageFile[]
  /** How large one of them may be. */
  fileLimitBytes: number
  /** The address of the client; behind a trusted proxy, the one that the proxy names. */
  clientAddress: string
}

/** A file of a form. An input without a chosen file has none. */
export interface PageFile {
  field: string
  filename: string
  mediaType: string
  isTooLarge: boolean
  /** Its bytes, until the response is sent; not all of them if it is too large. */
  read(): Promise<Buffer>
}

/** A response: HTML, another text, a document that all share, a stream, or only headers. */
export interface PageResponse {
  status: number
  headers?: Record<string, string | string[]>
  html?: Html
  text?: string
  document?: PublicDocument
  /** Ended when the service stops. */
  stream?: Readable
}

/** The pages that are mounted together, and the page they show for an error. */
export interface Site {
  pages: readonly Page[]
  /** The page for an error. The context has the shop if it was found. */
  errorPage(context: Context & Partial<ShopContext>, request: PageRequest, error: ApiError): Promise<PageResponse>
}

interface PageDeclaration<Route extends `${PageMethod} /${string}`> {
  name: string
  route: Route
  files?: number
  /** Rejects a request by its address, before a byte of its body is read. */
  admit?(context: ContextFor<Route>, request: PageRequest<PathNames<Route>>): Promise<unknown>
  handle(context: ContextFor<Route>, request: PageRequest<PathNames<Route>>): Promise<PageResponse>
}

/** Declares a page. Its context has the shop if the route names one. */
export function page<const Route extends `${PageMethod} /${string}`>(declaration: PageDeclaration<Route>): Page {
  const [method = '', path = ''] = declaration.route.split(' ')
  return {
    name: declaration.name,
    method: method as PageMethod, // the route's type begins with one
    path,
    files: declaration.files ?? 0,
    isShopScoped: path.includes('{slug}'),
    needsLink: path.includes('{token}') && declaration.admit !== undefined,
    // Mounting passes the context and the path that its route needs.
    admit: declaration.admit as unknown as Page['admit'],
    handle: declaration.handle as unknown as Page['handle'],
  }
}

/** Redirects the browser with GET: after a form, or for a link that is counted. */
export function redirect(location: string): PageResponse {
  return { status: 303, headers: { location } }
}
