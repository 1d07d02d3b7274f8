import { describe, expect, it } from 'vitest'
import { AddressError, parseAddress } from '../../src/platform/store/address.ts'

const hostsOf = (url: string) => parseAddress(url).hosts.map(({ connectionString }) => connectionString)

describe('the address of PostgreSQL', () => {
  it.each([
    ['postgres://me:secret@db/shop'],
    ['postgresql://db:5433/shop?sslmode=verify-full'],
    ['postgres://me@[::1]:5432/shop'],
  ])('stays as it is if it has one host: %s', (url) => {
    expect(hostsOf(url)).toEqual([url])
  })

  it('has a connection string for each host, with everything else in each', () => {
    expect(hostsOf('postgres://me:a%2Fb@one:1,two/shop?sslmode=verify-full&target_session_attrs=read-write')).toEqual([
      'postgres://me:a%2Fb@one:1/shop?sslmode=verify-full',
      'postgres://me:a%2Fb@two/shop?sslmode=verify-full',
    ])
  })

  it('takes IPv6 addresses, commas and @ in passwords, and hosts as a parameter', () => {
    expect(hostsOf('postgres://me:a,b@c@[::1]:1,[fe80::2]:3/shop')).toEqual([
      'postgres://me:a,b@c@[::1]:1/shop',
      'postgres://me:a,b@c@[fe80::2]:3/shop',
    ])
    expect(hostsOf('postgres://me@/shop?host=one,::1&port=1,2')).toEqual([
      'postgres://me@one:1/shop',
      'postgres://me@[::1]:2/shop',
    ])
    expect(hostsOf('postgres://me@%2Frun%2Fone,two/shop')).toEqual([
      'postgres://me@/shop?host=%2Frun%2Fone',
      'postgres://me@two/shop',
    ])
  })

  it('looks for a host that accepts writes, unless it says otherwise', () => {
    expect(parseAddress('postgres://one,two/shop').target).toBe('read-write')
    expect(parseAddress('postgres://one,two/shop?target_session_attrs=primary').target).toBe('read-write')
    expect(parseAddress('postgres://one,two/shop?target_session_attrs=any').target).toBe('any')
    expect(parseAddress('postgres://one/shop?options=-c%20work_mem%3D8MB')).toMatchObject({
      options: '-c work_mem=8MB',
      hosts: [{ connectionString: 'postgres://one/shop' }],
    })
  })

  it.each([
    ['mysql://me:secret@one/shop'],
    ['postgres://me:secret@one:port/shop'],
    ['postgres://me:secret@one:99999,two/shop'],
    ['postgres://me:secret@one,,two/shop'],
    ['postgres://me:secret@::1,two/shop'],
    ['postgres://me:secret@/shop?host=one,two,three&port=1,2'],
    ['postgres://me:secret@one/shop?target_session_attrs=standby'],
    ['postgres://me:sec/ret@one/shop'],
  ])('is rejected without being shown: %s', (url) => {
    const parse = () => parseAddress(url)
    expect(parse).toThrow(AddressError)
    expect(parse).not.toThrow(/sec|standby|99999/)
  })
})
