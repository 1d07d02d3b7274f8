/** Returns the methods of an adapter, which is loaded when one is first called. */
export function lazyMethods<Adapter extends object>(name: string, load: () => Promise<Adapter>) {
  let loading: Promise<Adapter> | undefined
  return async <Method extends keyof Adapter & string>(method: Method): Promise<NonNullable<Adapter[Method]>> => {
    loading ??= load()
    const found = (await loading)[method]
    // The type of a description is compared with the methods of its adapter.
    if (found === undefined || found === null) throw new Error(`the adapter of ${name} has no ${method}`)
    return found
  }
}
