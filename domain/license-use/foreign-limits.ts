/** The largest number of seats that can be stored. */
export const MAX_SEATS = 2 ** 31 - 1
/** In characters, of all names of a line: an entry of an index has no room for more. */
const MAX_NAMES = 500

export const isSeatCount = (count: number): boolean => Number.isInteger(count) && count > 0 && count <= MAX_SEATS

export const areNamesShort = (...names: readonly (string | null)[]): boolean =>
  names.reduce((length, name) => length + (name?.length ?? 0), 0) <= MAX_NAMES
