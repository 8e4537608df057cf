/** A seeded random number generator: the same seed draws the same numbers on every machine. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  fraction(): number
  /** A whole number, both ends included. */
  integer(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
  /** Picks by weight: `[['often', 9], ['rarely', 1]]`. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T
  shuffled<T>(items: readonly T[]): T[]
  hex(digits: number): string
  uuid(): string
}

export function seededRandom(seed: string): Random {
  const fraction = sfc32(seed)
  const integer = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1))
  const hex = (digits: number) => Array.from({ length: digits }, () => integer(0, 15).toString(16)).join('')
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: (choices) => choices[integer(0, choices.length - 1)]!,
    weighted(choices) {
      let left = fraction() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [choice, weight] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      return choices.at(-1)![0]
    },
    shuffled(items) {
      const result = [...items]
      for (let last = result.length - 1; last > 0; last--) {
        const other = integer(0, last)
        const moved = result[last]!
        result[last] = result[other]!
        result[other] = moved
      }
      return result
    },
    hex,
    uuid: () => [8, 4, 4, 4, 12].map(hex).join('-'),
  }
}

/** Chris Doty-Humphrey's small fast counting generator: 128 bits of state, 32-bit arithmetic only. */
function sfc32(seed: string): () => number {
  let [a, b, c, counter] = seedWords(seed)
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 2 ** 32
  }
  // The first numbers still correlate with the seed.
  for (let round = 0; round < 12; round++) next()
  return next
}

/** Four words from any text (FNV-1a, once per word with another offset). */
function seedWords(seed: string): [number, number, number, number] {
  const word = (offset: number) => {
    let hash = 0x811c9dc5 ^ offset
    for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193)
    return hash | 0
  }
  return [word(0), word(0x9e3779b9), word(0x7f4a7c15), 1]
}
