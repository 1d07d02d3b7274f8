import { type Config, findSettingsInFiles, findUnknownSettings, readConfig } from '../../platform/config/config.ts'
import { ConfigError } from '../../platform/config/config-error.ts'
import { checkBackups } from './check-backups.ts'
import { checkDisk, checkEncryptionKey } from './check-data-folder.ts'
import { checkMail } from './check-mail.ts'
import { checkStore } from './check-store.ts'
import { type Examination, type Finding, good, problem, warning } from './finding.ts'

/** Examines the installation that these settings describe, without changing anything. */
export async function examineInstallation(environment?: Record<string, string | undefined>): Promise<Examination> {
  const unknown = findUnknownSettings(environment).map((name) =>
    warning(
      'settings',
      `${name} is set, but there is no such setting.`,
      'Check its spelling; the README lists all settings.',
    ),
  )
  const config = read(environment)
  if (config instanceof ConfigError) {
    const wrong = problem(
      'settings',
      config.message,
      'Correct it and run this again: the other checks need the settings.',
    )
    return { findings: [wrong, ...unknown], publicUrl: undefined }
  }
  const store = await checkStore(config)
  return {
    findings: [
      ...(unknown.length > 0 ? unknown : [good('settings', 'All settings are valid.')]),
      ...checkSecretFiles(environment),
      ...checkAddress(config),
      ...store.findings,
      checkEncryptionKey(config, store.state),
      ...(await checkDisk(config)),
      ...checkBackups(config, store.state),
      ...(await checkMail(config)),
    ],
    publicUrl: config.publicUrl,
  }
}

function checkSecretFiles(environment: Record<string, string | undefined> | undefined): Finding[] {
  const names = findSettingsInFiles(environment)
  return names.length === 0 ? [] : [good('settings', `Read from files: ${names.join(', ')}.`)]
}

function read(environment: Record<string, string | undefined> | undefined): Config | ConfigError {
  try {
    return readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

function checkAddress({ publicUrl, isProduction }: Config): Finding[] {
  if (publicUrl === undefined) {
    const message = 'PUBLIC_URL is not set: links in messages lead to localhost.'
    return isProduction
      ? [problem('public address', message, 'Set PUBLIC_URL to the address that customers reach.')]
      : []
  }
  if (publicUrl.startsWith('https://') || !isProduction) return []
  const message = 'PUBLIC_URL is not encrypted: browsers send no session to it, and customers see a warning.'
  return [
    warning('public address', message, 'Set TLS_CERT and TLS_KEY or a proxy with TLS, and an address with https://.'),
  ]
}
