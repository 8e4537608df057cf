import type { FileRow } from '#server/data/files/file-rows.ts'

/** Rows that are saved together. No key is in a batch twice, so that of two rows with one key the later one wins. */
export async function* batchesOf(
  pieces: AsyncIterable<readonly FileRow[]>,
  keyOf: (row: object) => string,
  size: number,
): AsyncGenerator<readonly FileRow[]> {
  let batch: FileRow[] = []
  let keys = new Set<string>()
  const take = () => {
    const taken = batch
    batch = []
    keys = new Set()
    return taken
  }
  try {
    for await (const piece of pieces)
      for (const row of piece) {
        const key = 'row' in row ? keyOf(row.row) : ''
        if (batch.length === size || keys.has(key)) yield take()
        batch.push(row)
        if ('row' in row) keys.add(key)
      }
  } catch (error) {
    // Rows before an error are valid.
    if (batch.length > 0) yield take()
    throw error
  }
  if (batch.length > 0) yield take()
}

/** Prefetches the next item while one is being used. */
export async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const request = () => {
    const next = source.next()
    // The caller who awaits the item gets the error.
    next.catch(() => {})
    return next
  }
  try {
    for (let coming = request(); ; ) {
      const { value, done } = await coming
      if (done) return
      coming = request()
      yield value
    }
  } finally {
    // Not awaited: a source that waits for input would never return.
    source.return(undefined).catch(() => {})
  }
}
