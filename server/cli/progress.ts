type Output = { readonly isTTY?: boolean; write(text: string): unknown }

/** Without a terminal, progress is one line at the beginning and one for each of this many parts. */
const PARTS = 4

/** A progress bar on a terminal, otherwise a few lines. */
export function progressOn(out: Output): (done: number, total: number, what: string) => void {
  const width = 24
  let last = { done: 0, part: -1 }
  return (done, total, what) => {
    if (!out.isTTY) {
      const part = total === 0 ? PARTS : Math.floor((done / total) * PARTS)
      // The count is lower than before: another task has begun.
      const isNext = part > last.part || done < last.done
      last = { done, part }
      if (isNext) out.write(`  ${done}/${total} ${what}\n`)
      return
    }
    const filled = total === 0 ? width : Math.round((done / total) * width)
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
    out.write(`\r\x1b[2K  ${bar} ${done}/${total} ${what}${done === total ? '\n' : ''}`)
  }
}
