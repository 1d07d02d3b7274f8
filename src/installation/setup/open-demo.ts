import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { Database } from '../../platform/store/database.ts'
import type { Demo } from '../demo/build.ts'

/**
 * Creates the demo shop, if this start should. A cold embedded store takes a second or two for it, so the service runs
 * meanwhile. Without its demo shop it is still a service, so a failure is only logged.
 */
export async function openDemo(
  config: Config,
  engine: Database['engine'],
  isFirstStart: boolean,
  context: Context,
): Promise<Demo | undefined> {
  if (!isDemoWanted(config, engine, isFirstStart)) return undefined
  try {
    const { buildDemo } = await import('../demo/build.ts')
    return await buildDemo(context)
  } catch (err) {
    context.log.error({ err }, 'the demo shop could not be created')
    return undefined
  }
}

/** Unless the setting says otherwise: a new embedded store that is not in production. */
export function isDemoWanted(config: Config, engine: Database['engine'], isFirstStart: boolean): boolean {
  return config.demo ?? (engine === 'embedded' && isFirstStart && !config.isProduction)
}
