type Output = { readonly isTTY?: boolean; write(text: string): unknown }

/** A progress bar on a terminal, otherwise one line per step. */
export function progressOn(out: Output): (done: number, total: number, what: string) => void {
  const width = 24
  return (done, total, what) => {
    if (!out.isTTY) {
      out.write(`  ${done}/${total} ${what}\n`)
      return
    }
    const filled = total === 0 ? width : Math.round((done / total) * width)
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
    out.write(`\r\x1b[2K  ${bar} ${done}/${total} ${what}${done === total ? '\n' : ''}`)
  }
}
