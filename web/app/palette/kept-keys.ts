let kept: string | undefined

/** Keeps what is typed from now on until somebody takes it: a field that is still loading cannot. */
export function keepKeys(): void {
  if (kept !== undefined) return
  kept = ''
  window.addEventListener('keydown', keep, { capture: true })
  window.addEventListener('pointerdown', takeKeys, { capture: true })
}

/** What was typed meanwhile. From now on keys go where the focus is. */
export function takeKeys(): string {
  window.removeEventListener('keydown', keep, { capture: true })
  window.removeEventListener('pointerdown', takeKeys, { capture: true })
  const typed = kept ?? ''
  kept = undefined
  return typed
}

function keep(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape' || event.key === 'Tab') {
    takeKeys()
    return
  }
  if ([...event.key].length === 1) kept = `${kept ?? ''}${event.key}`
  else if (event.key === 'Backspace') kept = (kept ?? '').slice(0, -1)
  // Enter would press what has the focus behind the palette.
  else if (event.key !== 'Enter') return
  event.preventDefault()
  event.stopPropagation()
}
