import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findUnknownSettings, readConfig } from '../../src/platform/config/config.ts'
import { secretSettings } from '../../src/platform/config/environment.ts'
import { renderSettingsPage } from '../../src/platform/config/settings-page.ts'
import { newFolder } from '../harness/new-folder.ts'

const folder = newFolder()

function fileWith(text: string): string {
  const file = join(folder, `secret-${Math.random().toString(36).slice(2)}`)
  writeFileSync(file, text)
  return file
}

describe('a secret in a file', () => {
  it('is read without the line break at its end', () => {
    const settings = {
      ADMIN_API_KEY_FILE: fileWith('a key of the superadmin\n'),
      DATABASE_URL_FILE: fileWith('postgres://doorstep:secret@db/doorstep\r\n'),
    }
    expect(readConfig(settings)).toMatchObject({
      adminApiKey: 'a key of the superadmin',
      databaseUrl: 'postgres://doorstep:secret@db/doorstep',
      host: '0.0.0.0',
    })
  })

  it.each(secretSettings)('is possible for %s, and the page of settings says so', (name) => {
    expect(() => readConfig({ [`${name}_FILE`]: '/nowhere/at/all' })).toThrow(
      `${name}_FILE is wrong: /nowhere/at/all does not exist.`,
    )
    expect(renderSettingsPage()).toContain(`\`${name}_FILE\` may name its file`)
    expect(findUnknownSettings({ [`${name}_FILE`]: '/a/file' })).toEqual([])
  })

  it('is every setting whose name says that it is secret', () => {
    expect([...secretSettings].sort()).toEqual(
      expect.arrayContaining([
        'ADMIN_API_KEY',
        'DATABASE_URL',
        'ENCRYPTION_KEY',
        'OIDC_CLIENT_SECRET',
        'SMTP_PASSWORD',
      ]),
    )
    expect(renderSettingsPage().match(/^\| `\w*(SECRET|PASSWORD|TOKEN)\w*`.*$/gm)).toSatisfy((lines: string[]) =>
      lines.every((line) => line.includes('_FILE` may name its file')),
    )
  })

  it('must not be empty, nor set twice', () => {
    const empty = fileWith(' \n')
    expect(() => readConfig({ ENCRYPTION_KEY_FILE: empty })).toThrow(`ENCRYPTION_KEY_FILE is wrong: ${empty} is empty.`)
    const both = { SMTP_PASSWORD: 'one', SMTP_PASSWORD_FILE: fileWith('two') }
    expect(() => readConfig(both)).toThrow('SMTP_PASSWORD and SMTP_PASSWORD_FILE are both set: remove one of them.')
  })

  it('must be readable', () => {
    const subfolder = join(folder, 'a-folder')
    mkdirSync(subfolder)
    expect(() => readConfig({ ADMIN_API_KEY_FILE: subfolder })).toThrow(
      `ADMIN_API_KEY_FILE is wrong: ${subfolder} is a folder.`,
    )
    const hidden = fileWith('a key of the superadmin')
    chmodSync(hidden, 0)
    // Root reads everything.
    if (process.getuid?.() === 0) return
    expect(() => readConfig({ ADMIN_API_KEY_FILE: hidden })).toThrow('may not be read by this user')
  })

  it('is never shown, and a setting that is no secret has no such variant', () => {
    const short = fileWith('short')
    expect(() => readConfig({ ADMIN_API_KEY_FILE: short })).toThrow(/^ADMIN_API_KEY is wrong: its value (?!.*short\b)/)
    expect(findUnknownSettings({ ADMIN_USERNAME_FILE: '/a/file' })).toEqual(['ADMIN_USERNAME_FILE'])
  })
})
