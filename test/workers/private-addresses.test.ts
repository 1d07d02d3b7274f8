import { describe, expect, it } from 'vitest'
import { isPrivateAddress } from '../../src/platform/outgoing/private-addresses.ts'

/** The special-purpose registries of IANA: the first and the last address of each range. */
const special: [range: string, ...addresses: string[]][] = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private use, 10/8', '10.0.0.0', '10.255.255.255'],
  ['shared address space', '100.64.0.0', '100.127.255.255'],
  ['the wire server of Azure', '168.63.129.16', '::ffff:168.63.129.16', '::ffff:a83f:8110', '64:ff9b::a83f:8110'],
  ['the wire server of Azure by 6to4', '2002:a83f:8110::1'],
  ['the service networks of IBM Cloud', '161.26.0.0', '161.26.255.255', '166.8.0.0', '166.11.255.255'],
  [
    'metadata services: AWS, Alibaba, Oracle, Tencent',
    '169.254.169.254',
    '100.100.100.200',
    '192.0.0.192',
    '169.254.0.23',
  ],
  ['metadata services by IPv6: AWS, Google', 'fd00:ec2::254', 'fd20:ce::254', '::ffff:a9fe:a9fe', '::ffff:6464:64c8'],
  ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ['link local, with the metadata service of clouds', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['private use, 172.16/12', '172.16.0.0', '172.31.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.8', '192.0.0.170', '192.0.0.255'],
  ['documentation 1', '192.0.2.0', '192.0.2.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255'],
  ['private use, 192.168/16', '192.168.0.0', '192.168.255.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['documentation 2', '198.51.100.0', '198.51.100.255'],
  ['documentation 3', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['broadcast', '255.255.255.255'],
  ['IPv6: unspecified and loopback', '::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001'],
  ['IPv6: mapped', '::ffff:10.0.0.1', '::ffff:a00:1', '::FFFF:7F00:1', '0:0:0:0:0:ffff:192.168.0.1', '::ffff:0.0.0.0'],
  ['IPv6: compatible', '::10.0.0.1', '::a00:1', '::127.0.0.1', '::7f00:1'],
  ['IPv6: translated', '::ffff:0:10.0.0.1', '::ffff:0:a00:1', '::ffff:0:8.8.8.8'],
  ['IPv6: NAT64', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:FF9B::7f00:1'],
  ['IPv6: NAT64 for local use', '64:ff9b:1::', '64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['IPv6: discard only', '100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::1'],
  ['IPv6: protocol assignments', '2001:1::1', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['IPv6: Teredo', '2001::', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['IPv6: benchmarks', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['IPv6: ORCHID and its second version', '2001:10::1', '2001:20::1', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['IPv6: documentation', '2001:db8::1', '2001:DB8:ffff:ffff:ffff:ffff:ffff:ffff', '3fff::1', '3fff:fff::1'],
  ['IPv6: 6to4 of a private address', '2002:a00:1::', '2002:7f00:1::1', '2002:c0a8:101:1::1', '2002:a9fe:a9fe::'],
  [
    'IPv6: ISATAP of a private address',
    '2606:4700::5efe:10.0.0.1',
    '2606:4700::200:5efe:a9fe:a9fe',
    '2001:4860::5efe:a83f:8110',
  ],
  ['IPv6: segment routing', '5f00::', '5f00:ffff::1'],
  ['IPv6: unique local', 'fc00::', 'fd12:3456:789a::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['IPv6: link local, also with a zone', 'fe80::', 'febf::1', 'fe80::1%eth0', 'FE80::1%25eth0', '[fe80::1%lo]'],
  ['IPv6: site local', 'fec0::', 'feff::1'],
  ['IPv6: multicast', 'ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['IPv6: not given to anybody', '200::1', '1fff::1', '4000::1', 'a000::1', 'e000::1'],
]

const outside = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '161.25.255.255',
  '161.27.0.0',
  '166.7.255.255',
  '166.12.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '[2606:4700:4700::1111]',
  '2606:4700:4700::ABCD',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
  '2606:4700::200:5efe:8.8.8.8',
  '3ffe:ffff::1',
]

describe('address', () => {
  it.each(special)('is not called: %s', (_range, ...addresses) => {
    expect(addresses.filter((address) => !isPrivateAddress(address))).toEqual([])
  })

  it('is called if it is public, even next to a special range', () => {
    expect(outside.filter(isPrivateAddress)).toEqual([])
  })

  it('is not called if it is not an address', () => {
    const others = ['', 'localhost', 'shop.example', '1.2.3', '2130706433', '0x7f.1', '256.1.1.1', ':::', '[::1', '%lo']
    expect(others.filter((text) => !isPrivateAddress(text))).toEqual([])
  })
})

describe('address in a URL', () => {
  /** Other spellings of private addresses, which a URL normalises. */
  const spellings = [
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0X7F000001/',
    'http://127.1/',
    'http://127.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://0/',
    'http://10.1/',
    'http://0xa9fea9fe/',
    'http://３２３２２３５５２１/',
    'http://①②⑦.0.0.1/',
    'http://127%2e0.0.1/',
    'http://user:password@127.0.0.1:8080/path',
    'HTTP://[::FFFF:7F00:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]:80/',
    'https://[fd00::1]/',
    'https://[64:ff9b::10.0.0.1]/',
  ]

  it.each(spellings)('is recognised as private however it is spelled: %s', (spelling) => {
    expect(isPrivateAddress(new URL(spelling).hostname)).toBe(true)
  })

  it.each(['http://134744072/', 'http://0x08.8.8.8/', 'http://[2606:4700:4700::1111]/'])('may be public: %s', (url) => {
    expect(isPrivateAddress(new URL(url).hostname)).toBe(false)
  })
})
