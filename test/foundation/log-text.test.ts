import { describe, expect, it } from 'vitest'
import { createTextLog, formatLine } from '../../src/http/log-text.ts'
import { readConfig } from '../../src/platform/config/config.ts'

const time = new Date(2026, 10, 16, 9, 30, 12).toISOString()
const format = (line: object, hasColours = false) =>
  formatLine(JSON.stringify({ level: 'info', time, ...line }), hasColours)

describe('log lines on a terminal', () => {
  it('are short', () => {
    expect(format({ reqId: '01a1', ms: 1855, msg: 'the dashboard is built' })).toBe(
      '09:30:12 info  the dashboard is built ms=1855\n',
    )
  })

  it('show a request as people write it', () => {
    const fields = { reqId: '01a1', method: 'GET', path: '/v1/shops', operation: 'searchShops', status: 200, ms: 4.2 }
    expect(format({ ...fields, key: 'superadmin', msg: 'request' })).toBe('09:30:12 info  GET /v1/shops 200 4 ms\n')
  })

  it('show an error with its stack', () => {
    const err = { type: 'TypeError', message: 'no', stack: 'TypeError: no\n    at a.ts:1:2' }
    expect(format({ level: 'error', err, msg: 'unexpected error' })).toBe(
      '09:30:12 error unexpected error\n         TypeError: no\n             at a.ts:1:2\n',
    )
  })

  it('have colours where the terminal has them', () => {
    expect(format({ level: 'warn', msg: 'careful' }, true)).toContain('\u001b[33mwarn \u001b[39m careful')
  })

  it('let nobody else control the terminal', () => {
    const evil = '\u001b]0;evil\u0007\u009b2J\nforged'
    const line = format({ method: 'GET', path: evil, status: 404, ms: 1, msg: 'request', note: evil })
    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u)
    expect(format({ msg: evil, err: { stack: evil } }).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it('pass on what is not JSON', () => {
    const written: string[] = []
    createTextLog({ write: (text) => written.push(text) }, false).write('plain\n')
    expect(written).toEqual(['plain\n'])
  })
})

describe('LOG_FORMAT', () => {
  const read = (settings: Record<string, string>, isTerminal: boolean) => readConfig(settings, isTerminal).logFormat

  it('follows the output by default', () => {
    expect([read({}, true), read({}, false)]).toEqual(['coloured text', 'json'])
  })

  it('decides if it is set', () => {
    expect([read({ LOG_FORMAT: 'json' }, true), read({ LOG_FORMAT: 'text' }, false)]).toEqual(['json', 'text'])
  })

  it('leaves out colours with NO_COLOR', () => {
    expect([read({ NO_COLOR: '1' }, true), read({ NO_COLOR: '' }, true)]).toEqual(['text', 'coloured text'])
  })

  it('must be known', () => {
    expect(() => readConfig({ LOG_FORMAT: 'xml' })).toThrow(/^LOG_FORMAT is wrong: "xml" /)
  })
})
