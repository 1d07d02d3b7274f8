import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { trustOf } from '../../src/platform/foundation/trusted-proxies.ts'

const postgres = { DATABASE_URL: 'postgres://doorstep@db/doorstep' }
const production = { NODE_ENV: 'production' }

describe('HOST and WEBHOOK_ALLOW_PRIVATE', () => {
  const cases: [of: string, settings: Record<string, string>, host: string, allowsPrivate: boolean][] = [
    ['the embedded store outside production', {}, '127.0.0.1', true],
    ['the embedded store in production', production, '0.0.0.0', false],
    ['PostgreSQL outside production', postgres, '0.0.0.0', false],
    ['PostgreSQL in production', { ...postgres, ...production }, '0.0.0.0', false],
    ['a host that others reach', { HOST: '0.0.0.0' }, '0.0.0.0', false],
    ['all addresses of IPv6', { HOST: '::' }, '::', false],
    ['a name of the machine itself', { HOST: 'localhost', ...postgres }, 'localhost', true],
    ['loopback of IPv6', { HOST: '::1', ...postgres }, '::1', true],
    ['loopback in production', { HOST: '127.0.0.1', ...production }, '127.0.0.1', false],
    ['what is set', { HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE: 'on' }, '0.0.0.0', true],
    ['what is switched off', { WEBHOOK_ALLOW_PRIVATE: 'off' }, '127.0.0.1', false],
  ]
  it.each(cases)('of %s', (_of, settings, host, webhookAllowPrivate) => {
    expect(readConfig(settings)).toMatchObject({ host, webhookAllowPrivate })
  })
})

describe('TRUST_PROXY', () => {
  const read = (text: string) => readConfig({ TRUST_PROXY: text }).trustProxy

  it.each(['', 'off', 'OFF', 'false', 'no', '0'])('is off with %j', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it.each([
    ['on', 1],
    ['true', 1],
    ['yes', 1],
    ['1', 1],
    ['3', 3],
  ])('accepts the number of proxies %s', (text, hops) => {
    expect(read(text)).toEqual({ hops })
  })

  it('accepts networks and names of networks', () => {
    expect(read('10.1.0.0/16, 2001:db8::/32,192.0.2.7')).toEqual({
      networks: ['10.1.0.0/16', '2001:db8::/32', '192.0.2.7'],
    })
    const isTrusted = trustOf({ networks: ['10.1.0.0/16', '2001:db8::/32', '192.0.2.7'] })
    const trusted = ['10.1.255.9', '::ffff:10.1.0.9', '2001:db8:1::9', '192.0.2.7']
    const others = ['10.2.0.9', '2001:db9::1', '192.0.2.8', '::1', 'unknown', '']
    expect([...trusted, ...others].filter((address) => isTrusted(address, 0))).toEqual(trusted)
    expect(read('loopback')).toEqual({ networks: ['127.0.0.0/8', '::1/128'] })
  })

  it.each([
    'maybe',
    '17',
    '-1',
    '1.5',
    '0.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/0',
    '10.0.0.0/8;::1',
    '10.0.0.0/8/8',
  ])('rejects %s, and says what it accepts', (text) => {
    expect(() => read(text)).toThrow(/^TRUST_PROXY is wrong: ".*" must be off, on \(one proxy\), a number of proxies/)
  })
})

describe('OIDC settings', () => {
  const given = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'doorstep', OIDC_CLIENT_SECRET: 'secret' }

  it('are off by default, and need issuer, client and secret', () => {
    expect(readConfig({}).oidc).toBeUndefined()
    expect(readConfig(given).oidc).toMatchObject({
      issuer: 'https://id.example',
      allowedDomains: [],
      groupRoles: undefined,
      groupsClaim: 'groups',
      name: 'Single sign-on',
    })
    for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']) {
      expect(() => readConfig({ ...given, [name]: '' })).toThrow(`${name} is missing`)
    }
  })

  it.each([
    ['OIDC_ISSUER', 'http://id.example'],
    ['OIDC_ISSUER', 'id.example'],
    ['OIDC_ALLOWED_DOMAINS', 'mia@shop.example'],
    ['OIDC_ALLOWED_DOMAINS', '*.shop.example'],
    ['OIDC_ROLES', 'ops=owner'],
  ])('reject a wrong %s: %s', (name, value) => {
    expect(() => readConfig({ ...given, [name]: value })).toThrow(`${name} is wrong`)
  })

  it('allow plain HTTP on this machine only', () => {
    expect(readConfig({ ...given, OIDC_ISSUER: 'http://127.0.0.1:9000' }).oidc?.issuer).toBe('http://127.0.0.1:9000')
  })
})

describe('SMTP settings', () => {
  const given = { SMTP_HOST: 'mail.internal', SMTP_FROM_ADDRESS: 'mail@shop.example' }

  it('are off by default, and need a host and a sender', () => {
    expect(readConfig({}).smtp).toBeUndefined()
    expect(readConfig(given)).toMatchObject({
      smtpRate: 10,
      smtp: { host: 'mail.internal', port: 587, security: 'starttls', username: null, password: null, replyTo: null },
    })
    expect(readConfig({ ...given, SMTP_SECURITY: 'tls' }).smtp?.port).toBe(465)
    expect(() => readConfig({ SMTP_FROM_ADDRESS: 'mail@shop.example' })).toThrow('SMTP_HOST is missing')
    expect(() => readConfig({ SMTP_HOST: 'mail.internal' })).toThrow('SMTP_FROM_ADDRESS is missing')
    expect(() => readConfig({ ...given, SMTP_USERNAME: 'doorstep' })).toThrow('SMTP_PASSWORD is missing')
    expect(() => readConfig({ ...given, SMTP_PASSWORD: 'secret' })).toThrow('SMTP_USERNAME is missing')
  })

  it.each([
    ['SMTP_HOST', 'a host'],
    ['SMTP_PORT', '70000'],
    ['SMTP_SECURITY', 'ssl'],
    ['SMTP_FROM_ADDRESS', 'nobody'],
    ['SMTP_FROM_NAME', 'Shop\r\nBcc: a@b.example'],
    ['SMTP_REPLY_TO', 'a@b.example\nc'],
    ['SMTP_RATE', '0'],
  ])('reject a wrong %s: %j', (name, value) => {
    expect(() => readConfig({ ...given, [name]: value })).toThrow(`${name} is wrong`)
  })
})
