import type { ShopContext } from '../../foundation/context.ts'

/** Renders the page that a token opens. The pages implement it, because this layer does not know them. */
export type RenderOrderPreview = (
  context: ShopContext,
  token: string,
) => Promise<{ html: string; headers: Record<string, string | string[]> } | undefined>

declare module '../../foundation/services.ts' {
  interface Services {
    readonly renderOrderPreview: RenderOrderPreview
  }
}
