/** Milliseconds. A later call was caused by a timer or an event, not by a person. */
const ATTENTION = 5000

/** Assistive technology clicks and types without a pointer or a key. */
const INPUT = ['pointerdown', 'keydown', 'click', 'input', 'wheel'] as const

// Opening the page counts as input.
let lastInput = performance.now()

export function watchInput(page: EventTarget): void {
  const note = () => {
    lastInput = performance.now()
  }
  for (const type of INPUT) page.addEventListener(type, note, { capture: true, passive: true })
}

/** Nobody has used the page for a while, so its calls must not extend the session. */
export function isUnattended(): boolean {
  return performance.now() - lastInput > ATTENTION
}
