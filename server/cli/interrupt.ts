const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Calls `stop` at the first Ctrl-C or SIGTERM; a second one ends the process at once. Returns a function that removes
 * the handlers.
 */
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
