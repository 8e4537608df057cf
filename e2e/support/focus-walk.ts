import type { Page } from '@playwright/test'

/** More stops than any screen has: a walk that does not end before is in a trap. */
const MAX_STOPS = 300

type Walk = { faults: string[]; hasEnded: boolean; measure(): void }

/**
 * Presses Tab from the beginning of the content to its end. Returns what has the focus without showing it: nothing about it
 * changes when the focus leaves.
 */
export async function walkFocus(page: Page): Promise<string[]> {
  await page.evaluate(startWalk)
  for (let presses = 0; presses < MAX_STOPS; presses += 1) {
    await page.keyboard.press('Tab')
    const hasEnded = await page.evaluate(() => {
      const { walk } = globalThis as unknown as { walk: Walk }
      walk.measure()
      return walk.hasEnded
    })
    if (hasEnded) return page.evaluate(() => (globalThis as unknown as { walk: Walk }).walk.faults)
  }
  return [`the focus has not left the content after ${MAX_STOPS} stops`]
}

function startWalk(): void {
  const main = document.querySelector<HTMLElement>('main')
  main?.focus()
  let last: { element: Element; looks: string } | undefined
  const walk: Walk = { faults: [], hasEnded: false, measure }
  Object.assign(globalThis, { walk })

  function measure(): void {
    const element = document.activeElement
    if (last?.element.isConnected && looksOf(last.element) === last.looks)
      walk.faults.push(`no focus is seen on ${nameOf(last.element)}`)
    last = undefined
    if (!element || !main?.contains(element)) {
      walk.hasEnded = true
      return
    }
    last = { element, looks: looksOf(element) }
  }

  /** What may show the focus: the element, its neighbor (of a hidden input) and the boxes around it. */
  function looksOf(element: Element): string {
    const boxes = [element, element.nextElementSibling, element.parentElement, element.parentElement?.parentElement]
    return boxes
      .flatMap((box) => {
        if (!box) return []
        const style = getComputedStyle(box)
        return [
          style.outlineStyle,
          style.outlineWidth,
          style.outlineColor,
          style.boxShadow,
          style.borderColor,
          style.backgroundColor,
          style.textDecorationLine,
          style.opacity,
        ]
      })
      .join()
  }

  function nameOf(element: Element): string {
    return element.outerHTML.replace(/ (class|style)="[^"]*"/g, '').slice(0, 160)
  }
}
