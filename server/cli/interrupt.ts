const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Calls `stop` at the first Ctrl-C or request to end; a second one ends the process at once. Answers how to undo this. */
export function onInterrupt(stop: () => void): () => void {
  const restore = () => {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
  const interrupt = () => {
    restore()
    stop()
  }
  for (const signal of SIGNALS) process.on(signal, interrupt)
  return restore
}
