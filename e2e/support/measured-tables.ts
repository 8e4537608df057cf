import type { Page } from '@playwright/test'

/** A table as it is drawn, and what of its text cannot be read. */
export type MeasuredTable = {
  name: string
  /** Widths in pixels: of all columns together, and of the space for them. */
  width: number
  room: number
  /** The columns whose order the table shows. */
  sorted: string[]
  /** How many boxes in it scroll up and down. */
  scrollers: number
  /** Dates, numbers and names of columns that are cut off, and texts that a button covers: `column "text" by 0.3 px`. */
  faults: string[]
}

/**
 * Measures every table on the page by the boxes of its text: `scrollWidth` is rounded, but the browser already cuts a date
 * that is 0.3 pixels too wide. A date or number that begins in sight must end there as well.
 */
export function measureTables(page: Page): Promise<MeasuredTable[]> {
  return page.evaluate(async () => {
    // Tables follow a new width of the window in the next frame.
    for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve))
    /** Layout rounds to 1/64 pixel. */
    const tolerance = 1 / 64
    const tables = [...document.querySelectorAll<HTMLElement>('[role=grid], [role=treegrid]')]
    return tables.filter((table) => table.checkVisibility()).map(measure)

    function measure(table: HTMLElement): MeasuredTable {
      const own = (selector: string) =>
        [...table.querySelectorAll<HTMLElement>(selector)].filter(
          (one) => one.closest('[role=grid], [role=treegrid]') === table,
        )
      // What is only read out is not drawn.
      const headers = own('[role=columnheader]:not([data-quiet])')
      return {
        name: table.ariaLabel ?? '',
        width: Number.parseInt(table.style.getPropertyValue('--table-width'), 10),
        room: table.clientWidth,
        sorted: headers.filter((one) => one.ariaSort).map((one) => one.dataset.col ?? ''),
        scrollers: own('*').filter(
          (one) =>
            one.scrollHeight > one.clientHeight + 1 && ['auto', 'scroll'].includes(getComputedStyle(one).overflowY),
        ).length,
        faults: [
          ...own('[role=gridcell]:is([data-kind=number], [data-kind=date], [data-kind=time])').flatMap((cell) =>
            faultOf(cell, Math.max(overhang(cell), beyondTable(cell, table)), 'is cut by'),
          ),
          ...headers.flatMap((header) => [
            ...faultOf(header, overhang(header), 'is cut by'),
            ...faultOf(header, coveredBy(header.querySelector('button'), header), 'is covered by its menu button by'),
          ]),
          ...own('[role=gridcell]').flatMap((cell) =>
            faultOf(
              cell,
              coveredBy(cell.querySelector('button[aria-label^=Copy]'), cell),
              'is covered by its button by',
            ),
          ),
        ],
      }
    }

    function faultOf(cell: HTMLElement, pixels: number, what: string): string[] {
      const kind = cell.role === 'columnheader' ? 'the head of' : 'in'
      return pixels > tolerance
        ? [`${kind} ${cell.dataset.col}: "${cell.textContent}" ${what} ${pixels.toFixed(2)} px`]
        : []
    }

    /** How far text reaches beyond the cell, or beyond a box in it that cuts what is too wide. */
    function overhang(cell: HTMLElement): number {
      const boxes = [cell, ...cell.querySelectorAll('*')].filter(
        (one) => one === cell || getComputedStyle(one).overflowX !== 'visible',
      )
      return Math.max(
        0,
        ...boxes.flatMap((box) => {
          const { left, right } = box.getBoundingClientRect()
          const { paddingLeft, paddingRight, borderLeftWidth, borderRightWidth } = getComputedStyle(box)
          const from = left + Number.parseFloat(paddingLeft) + Number.parseFloat(borderLeftWidth)
          const to = right - Number.parseFloat(paddingRight) - Number.parseFloat(borderRightWidth)
          return textBoxes(box).map((text) => Math.max(from - text.left, text.right - to))
        }),
      )
    }

    /** How far a column that begins in sight goes on beyond the edge of a table that scrolls sideways. */
    function beyondTable(cell: HTMLElement, table: HTMLElement): number {
      const actions = cell.parentElement?.querySelector('[data-col="$actions"]')
      const edge = Math.min(table.getBoundingClientRect().right, actions?.getBoundingClientRect().left ?? Infinity)
      const [first] = textBoxes(cell)
      return first && first.left < edge ? Math.max(0, ...textBoxes(cell).map((text) => text.right - edge)) : 0
    }

    function coveredBy(button: Element | null, cell: HTMLElement): number {
      if (!button?.checkVisibility({ opacityProperty: true })) return 0
      const { left, right, top, bottom } = button.getBoundingClientRect()
      const covers = (text: DOMRect) => text.top < bottom && top < text.bottom
      return Math.max(
        0,
        ...textBoxes(cell, 'as far as it is drawn')
          .filter(covers)
          .map((text) => Math.min(text.right, right) - Math.max(text.left, left)),
      )
    }

    /** The lines of the cell's text, without buttons and bars. */
    function textBoxes(element: Element, isCut?: 'as far as it is drawn'): DOMRect[] {
      const boxes: DOMRect[] = []
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(texts.currentNode)
        const box = texts.currentNode.parentElement
        const end =
          isCut && box?.closest('[data-cell]') && getComputedStyle(box).overflowX !== 'visible'
            ? box.getBoundingClientRect().right
            : Infinity
        for (const { x, y, right, height } of range.getClientRects())
          boxes.push(new DOMRect(x, y, Math.min(right, end) - x, height))
      }
      return boxes.filter(({ width }) => width > 0)
    }
  })
}
