import { describe, expect, it } from 'vitest'
import { networkOf, wideNetworkOf } from '../../src/platform/foundation/client-network.ts'
import { FairQueue, type NotRun, type QueuedCaller } from '../../src/platform/foundation/fair-queue.ts'
import { Shares } from '../../src/platform/foundation/shares.ts'

describe('network of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', '192.0.2'],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.7', '192.0.2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1'],
    ['2001:0DB8:0001:2::1', '2001:db8:1:2', '2001:db8:1'],
    ['2001:db8::1', '2001:db8:0:0', '2001:db8:0'],
    ['::1', '0:0:0:0', '0:0:0'],
    ['', '', ''],
  ])('of %s is %s for guesses and %s for shares', (address, network, wide) => {
    expect(networkOf(address)).toBe(network)
    expect(wideNetworkOf(address)).toBe(wide)
  })
})

describe('shares', () => {
  it('give each subject its part, and all together no more than there is', () => {
    const shares = new Shares({ all: 5, each: { shop: 3, network: 2 } })
    const take = (shop: string, network: string) => shares.take({ shop, network })
    expect(take('a', '1')).toHaveProperty('giveBack')
    expect(take('a', '1')).toHaveProperty('giveBack')
    expect(take('b', '1')).toBe('network')
    const third = take('a', '2')
    expect(take('a', '3')).toBe('shop')
    expect(take('b', '3')).toHaveProperty('giveBack')
    expect(take('b', '4')).toHaveProperty('giveBack')
    expect(take('c', '5')).toBe('all')
    if (typeof third === 'string') throw new Error('there was a place')
    third.giveBack()
    third.giveBack()
    expect([shares.count, shares.countOf('shop', 'a'), shares.countOf('network', '2')]).toEqual([4, 2, 0])
    expect(take('a', '3')).toHaveProperty('giveBack')
  })
})

describe('fair queue', () => {
  const limits = { atOnce: 1, waiting: { known: 2, others: 4 } }

  /** Queues work by its name behind work that runs until it is ended; the names in the order in which they ran. */
  function queueOf() {
    const queue = new FairQueue(limits)
    const ran: string[] = []
    let end = () => {}
    const first = queue.run({ group: 'first' }, () => new Promise<void>((resolve) => (end = resolve)))
    const outcomes: Promise<void>[] = [first]
    return {
      queue,
      ran,
      add(name: string, caller: QueuedCaller) {
        const outcome = queue.run(caller, async () => void ran.push(name))
        outcomes.push(outcome.catch(() => {}))
        return outcome.catch((error: NotRun) => error.reason)
      },
      async finish() {
        end()
        await Promise.all(outcomes)
      },
    }
  }

  it('lets groups take turns', async () => {
    const { add, finish, ran } = queueOf()
    for (const name of ['a1', 'a2', 'a3']) void add(name, { group: 'a' })
    void add('b1', { group: 'b' })
    await finish()
    expect(ran).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  it('takes a place from the longest group for a new one, and rejects more of the longest', async () => {
    const { add, finish, ran } = queueOf()
    const flood = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add(name, { group: 'a' }))
    expect(await flood[4]).toBe('full')
    void add('b1', { group: 'b' })
    expect(await flood[3]).toBe('full')
    await finish()
    expect(ran).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  it('rejects a new group when each has one place', async () => {
    const { add, finish } = queueOf()
    for (const group of ['a', 'b', 'c', 'd']) void add(group, { group })
    expect(await add('e', { group: 'e' })).toBe('full')
    await finish()
  })

  it('lets groups take turns within their group', async () => {
    const { add, finish, ran } = queueOf()
    for (const name of ['a1', 'a2']) void add(name, { group: ['network', 'a'] })
    void add('b1', { group: ['network', 'b'] })
    void add('c1', { group: ['other network', 'c'] })
    await finish()
    expect(ran).toEqual(['a1', 'c1', 'b1', 'a2'])
  })

  it('takes a place from the longest group within the longest', async () => {
    const { queue, add, finish, ran } = queueOf()
    void add('b1', { group: ['network', 'b'] })
    const flood = ['a1', 'a2', 'a3'].map((name) => add(name, { group: ['network', 'a'] }))
    // Another of the same network, then one of another network, then again one of the same: now each account has one.
    void add('c1', { group: ['network', 'c'] })
    expect(await flood[2]).toBe('full')
    void add('d1', { group: ['other network', 'd'] })
    expect(await flood[1]).toBe('full')
    expect(await add('e1', { group: ['network', 'e'] })).toBe('full')
    expect(queue.waiting).toBe(4)
    await finish()
    expect(ran).toEqual(['b1', 'd1', 'a1', 'c1'])
  })

  it('keeps places and turns for known callers', async () => {
    const { add, finish, ran } = queueOf()
    for (const group of ['a', 'b', 'c', 'd']) void add(group, { group })
    void add('owner', { group: 'home', isKnown: true })
    await finish()
    expect(ran.slice(0, 2)).toContain('owner')
    expect(ran).toHaveLength(5)
  })

  it('does no work for those who have gone', async () => {
    const { queue, add, finish, ran } = queueOf()
    let leave = () => {}
    const outcome = add('a1', {
      group: 'a',
      whenGone: (act) => {
        leave = act
        return () => {}
      },
    })
    void add('b1', { group: 'b' })
    expect(queue.waiting).toBe(2)
    leave()
    expect(await outcome).toBe('gone')
    await finish()
    expect(ran).toEqual(['b1'])
    expect(queue.waiting).toBe(0)
  })

  it('goes on after work that failed', async () => {
    const queue = new FairQueue(limits)
    const failing = queue.run({ group: 'a' }, async () => {
      throw new Error('failed')
    })
    const next = queue.run({ group: 'b' }, async () => 'done')
    await expect(failing).rejects.toThrow('failed')
    expect(await next).toBe('done')
  })
})
