let kept: string | undefined

/** Buffers keystrokes until a field takes them, because a field that is still loading cannot. */
export function keepKeys(): void {
  if (kept !== undefined) return
  kept = ''
  window.addEventListener('keydown', keep, { capture: true })
  window.addEventListener('pointerdown', takeKeys, { capture: true })
}

/** The buffered text. From now on keys go where the focus is. */
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
  // Enter would press the focused element behind the palette.
  else if (event.key !== 'Enter') return
  event.preventDefault()
  event.stopPropagation()
}
