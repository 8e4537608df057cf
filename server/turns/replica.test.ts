import { describe, expect, test } from 'vitest'
import { formatPosition, parsePosition } from '#server/turns/replica.queries.ts'
import { ReplicaLag } from '#server/turns/replica.ts'

describe('a position in the log', () => {
  test.each([
    ['0/0', 0n],
    ['0/1', 1n],
    ['1/0', 1n << 32n],
    ['16/B374D848', (0x16n << 32n) | 0xb374d848n],
    ['FFFFFFFF/FFFFFFFF', (1n << 64n) - 1n],
  ])('%s is read and written as PostgreSQL does', (text, position) => {
    expect(parsePosition(text)).toBe(position)
    expect(formatPosition(position)).toBe(text)
  })

  test.each([undefined, '', '16', '16/', '/1', '16/xyz', '123456789/0', "0/0'; --", 'b/1'])(
    '%j is not accepted as a position',
    (text) => expect(parsePosition(text)).toBeUndefined(),
  )
})

describe('the lag of a replica', () => {
  test('is zero while the replica has everything', () => {
    const lag = new ReplicaLag()
    lag.note({ at: 0, written: 10n, replayed: 10n })
    expect(lag.seconds(60_000)).toBe(0)
  })

  test('is the age of the oldest position that the replica lacks', () => {
    const lag = new ReplicaLag()
    lag.note({ at: 0, written: 10n, replayed: 10n })
    lag.note({ at: 1_000, written: 20n, replayed: 10n })
    lag.note({ at: 2_000, written: 30n, replayed: 10n })
    expect(lag.seconds(5_000)).toBe(4)
    lag.note({ at: 5_000, written: 30n, replayed: 25n })
    expect(lag.seconds(5_000)).toBe(3)
    lag.note({ at: 6_000, written: 30n, replayed: 30n })
    expect(lag.seconds(6_000)).toBe(0)
  })

  test('grows for a replica that is cut off while others write', () => {
    const lag = new ReplicaLag()
    for (let second = 0; second < 5_000; second++)
      lag.note({ at: second * 1000, written: BigInt(second), replayed: 10n })
    expect(lag.seconds(5_000_000)).toBe(4_989)
  })
})
