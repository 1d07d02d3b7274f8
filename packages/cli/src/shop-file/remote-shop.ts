import type { Client } from 'doorstep-client'
import type { Json } from './compare.ts'
import type { ListSection, SettingGroup } from './sections.ts'

const perPage = 100

/** One shop of the service. Reads each path once. */
export class RemoteShop {
  readonly slug: string
  readonly #client: Client
  readonly #signal: AbortSignal | undefined
  readonly #replies = new Map<string, Promise<unknown>>()

  constructor(client: Client, slug: string, signal?: AbortSignal) {
    this.#client = client
    this.slug = slug
    this.#signal = signal
  }

  async readGroup({ read, at }: SettingGroup): Promise<Json> {
    const reply = (await this.read(read)) as Json // every group is an object
    return at === undefined ? reply : (reply[at] as Json) // the same
  }

  read(path: string): Promise<unknown> {
    return this.#once(path, async () => (await this.#send('get', path)).data)
  }

  list({ list }: Pick<ListSection, 'list'>): Promise<Json[]> {
    const all = this.#once(list, async () => {
      const items: Json[] = []
      for (let page = 1; ; page += 1) {
        const { data, response } = await this.#send('get', list, { params: { query: { page, per_page: perPage } } })
        items.push(...(data as Json[])) // a list returns its items
        if (!(response.headers.get('link') ?? '').includes('rel="next"')) return items
      }
    })
    return all as Promise<Json[]> // made above
  }

  /** Changes something. Returns the id of what was created. */
  async write(route: string, body: unknown): Promise<string | undefined> {
    const [method = '', path = ''] = route.split(' ')
    const { response } = await this.#send(method.toLowerCase(), path, body === undefined ? {} : { body })
    return response.headers.get('location')?.split('/').at(-1)
  }

  #once(path: string, call: () => Promise<unknown>): Promise<unknown> {
    const known = this.#replies.get(path) ?? call()
    this.#replies.set(path, known)
    return known
  }

  async #send(method: string, path: string, init: object = {}): Promise<{ data: unknown; response: Response }> {
    // The sections name operations of the API, which a test checks; its types are about one operation at a time.
    const request = this.#client.raw.request as unknown as (
      method: string,
      path: string,
      init: object,
    ) => Promise<{ data: unknown; response: Response }>
    const signal = this.#signal ? { signal: this.#signal } : {}
    return request(method, `/v1/shops/${encodeURIComponent(this.slug)}${path}`, { ...init, ...signal })
  }
}
