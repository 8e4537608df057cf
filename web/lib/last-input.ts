/** A call so long after the last input, in milliseconds, was made by a timer or an event and not by a person. */
const ATTENTION = 5000

/** Assistive technology clicks and types without a pointer or a key. */
const INPUT = ['pointerdown', 'keydown', 'click', 'input', 'wheel'] as const

// Opening the page is the first thing that a person does.
let lastInput = performance.now()

export function watchInput(page: EventTarget): void {
  const note = () => {
    lastInput = performance.now()
  }
  for (const type of INPUT) page.addEventListener(type, note, { capture: true, passive: true })
}

/** Nobody has touched the page for a while: what it asks the server for now must not extend the session. */
export function isUnattended(): boolean {
  return performance.now() - lastInput > ATTENTION
}
