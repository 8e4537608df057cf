import type { Locator, Page } from '@playwright/test'
import { pasteInto } from '#e2e/support/activations-screen.ts'

export type Device = 'mouse' | 'keyboard'

/** What a person did: `groups` are the things that were acted on one after the other. */
export type Effort = { clicks: number; keys: number; groups: number }

export type Measured = Effort & { readonly seconds: number }

/** The keystroke-level model: seconds to think before a group, to point at something, and for a click or a key. */
const THINK = 1.35
const POINT = 1.1
const PRESS = 0.2

export const MODEL = `${THINK} s to think before each thing that is acted on, ${POINT} s to point, ${PRESS} s for a click or a key, nothing for waiting`

/** Each click has been pointed at. A portal that answers at once is assumed. */
export function estimatedSeconds({ clicks, keys, groups }: Effort): number {
  return groups * THINK + clicks * (POINT + PRESS) + keys * PRESS
}

export type Hand = ReturnType<typeof createHand>

/**
 * Works on a page as a person does, and counts it. With the mouse, everything is clicked and only text is typed. With the
 * keyboard, the mouse is never used: screens are opened by Ctrl-K, and everything else is reached by Tab and arrows.
 */
export function createHand(page: Page, device: Device) {
  const effort: Effort = { clicks: 0, keys: 0, groups: 0 }

  async function click(target: Locator): Promise<void> {
    await target.click()
    effort.clicks++
  }

  async function press(key: string): Promise<void> {
    await page.keyboard.press(key)
    effort.keys++
  }

  async function write(text: string): Promise<void> {
    await page.keyboard.type(text)
    effort.keys += [...text].length
  }

  async function walkTo(target: Locator): Promise<void> {
    await target.waitFor()
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const key = await target.evaluate(nextKey)
      if (!key) return
      await press(key)
    }
    throw new Error(`${target} cannot be reached in ${MAX_STEPS} steps.`)
  }

  /** Puts the cursor into a field, which may have it already: a dialog that opens puts it into its first one. */
  async function moveInto(field: Locator): Promise<void> {
    effort.groups++
    const isFocused = () => field.evaluate((one) => one === document.activeElement)
    if (device === 'keyboard') await walkTo(field)
    else if (!(await isFocused())) await click(field)
    // Enter leads from a cell of a table into its field.
    if (!(await isFocused())) await press('Enter')
  }

  /** Opens the palette, and chooses what a person types to have on top. */
  async function fromPalette(typed: string, label: string): Promise<void> {
    await press('ControlOrMeta+k')
    await chooseFirst(typed, label)
  }

  async function chooseFirst(typed: string, label: string): Promise<void> {
    effort.groups++
    await write(typed)
    const first = page.getByRole('listbox', { name: 'Results' }).getByRole('option').first()
    await first.filter({ hasText: label }).waitFor()
    await press('Enter')
  }

  return {
    page,
    device,
    effort,

    /** Lets the palette act: by the keyboard only. What it asks for is typed until its answer is on top. */
    async act(
      typed: string,
      label: string,
      answer?: { readonly typed: string; readonly label: string },
    ): Promise<void> {
      await fromPalette(typed, label)
      if (!answer) return
      await page.getByRole('combobox', { name: 'Search the portal' }).waitFor({ state: 'detached' })
      await chooseFirst(answer.typed, answer.label)
    },

    /** Opens a screen: from the menu, or by what a person types into the palette to have it on top. */
    async open(title: string, typed: string): Promise<void> {
      if (device === 'mouse') {
        effort.groups++
        const menu = page.getByRole('navigation', { name: 'Main' })
        const entry = menu.getByRole('link', { name: title, exact: true })
        if (!(await entry.isVisible())) await click(menu.getByRole('button', { name: 'Settings' }))
        await click(entry)
      } else await fromPalette(typed, title)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    },

    /** Presses a button, follows a link, ticks a box. */
    async use(target: Locator): Promise<void> {
      effort.groups++
      if (device === 'mouse') return click(target)
      await walkTo(target)
      await press((await target.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter')
    },

    /** Replaces the text of a field. */
    async type(field: Locator, text: string): Promise<void> {
      await moveInto(field)
      if (await field.inputValue()) await press('ControlOrMeta+a')
      await write(text)
    },

    /** Pastes a text that the person has copied elsewhere. */
    async paste(field: Locator, text: string): Promise<void> {
      await moveInto(field)
      await pasteInto(field, text)
      effort.keys++
    },

    /** Adds a line to the text of a field. */
    async addLine(field: Locator, text: string): Promise<void> {
      await moveInto(field)
      await press('ControlOrMeta+End')
      await press('Enter')
      await write(text)
    },

    /** Chooses from a list that opens below its field, or is open already, and can be searched. */
    async choose(field: Locator, option: string): Promise<void> {
      effort.groups++
      if (device === 'mouse') {
        await field.waitFor()
        if ((await field.getAttribute('data-expanded')) === null) await click(field)
        return click(page.getByRole('option', { name: option }).first())
      }
      await walkTo(field)
      await write(option)
      await page.getByRole('option', { name: option }).first().waitFor()
      await press('ArrowDown')
      await press('Enter')
    },

    /** Chooses from a list of the browser, which takes a click to open and one to choose. */
    async select(field: Locator, option: string): Promise<void> {
      effort.groups++
      if (device === 'mouse') {
        await field.selectOption(option)
        effort.clicks += 2
        return
      }
      await walkTo(field)
      const chosen = field.locator('option:checked')
      for (let steps = 0; steps < MAX_STEPS; steps++) {
        if ((await chosen.textContent()) === option) return
        await press('ArrowDown')
      }
      throw new Error(`${field} has no option ${option}.`)
    },

    press,
  }
}

const MAX_STEPS = 200

/**
 * The key that brings the focus nearer to an element, or nothing when it has arrived. Runs in the page. Uses what a
 * keyboard has: the skip link, arrows in tables, menus and tabs, and Tab in the shorter direction.
 */
function nextKey(target: Element): string | undefined {
  const active = document.activeElement ?? document.body
  const arrow = (to: Element) => {
    const [from, at] = [active.getBoundingClientRect(), to.getBoundingClientRect()]
    if (from.bottom <= at.top + 1) return 'ArrowDown'
    if (from.top >= at.bottom - 1) return 'ArrowUp'
    return from.left < at.left ? 'ArrowRight' : 'ArrowLeft'
  }
  const isStop = (one: Element) =>
    (one as HTMLElement).tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true })

  if (active === target) return undefined
  const cell = target.closest('[data-cell]')
  // What is unfolded below a row of a table is reached by Tab.
  const group = target.closest('[role=menu], [role=tablist], [role=radiogroup]') ?? cell?.closest('[role$=grid]')
  if (group?.contains(active)) {
    if (!cell) return arrow(target)
    // Enter on a cell uses its only control.
    const controls = cell.querySelectorAll('a[href], button, input')
    if (active === cell) return controls.length === 1 ? undefined : 'F2'
    return cell.contains(active) ? 'ArrowRight' : arrow(cell)
  }
  if (active.textContent === 'Skip to content' && target.closest('main')) return 'Enter'
  const dialog = active.closest('[role=dialog]')
  const stops = [...(dialog ?? document).querySelectorAll('*')].filter(isStop)
  // A group is entered at its one stop.
  const goal = stops.indexOf(target) < 0 && group ? stops.find((one) => group.contains(one)) : target
  if (!dialog) return active.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING ? 'Shift+Tab' : 'Tab'
  // The focus stays in a dialog: behind its last stop comes its first one.
  const ahead = (stops.indexOf(goal ?? target) - stops.indexOf(active) + stops.length) % stops.length
  return ahead <= stops.length / 2 ? 'Tab' : 'Shift+Tab'
}
