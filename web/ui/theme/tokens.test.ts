import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import page from '#web/index.html?raw'
import { contrast, READABLE } from '#web/ui/theme/contrast.ts'
import { filledOnDark, shadesOf } from '#web/ui/theme/shades.ts'
import { DARK, LIGHT, SIGNALS } from '#web/ui/theme/tokens.ts'

test('contrast is computed as WCAG defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('the %s palette', (_name, palette) => {
  const surfaces = [palette.page, palette.menu, palette.card, palette.hover]

  it.each(['ink', 'soft'] as const)('%s text is readable on every surface', (text) => {
    for (const surface of surfaces) expect(contrast(palette[text], surface)).toBeGreaterThanOrEqual(READABLE)
  })

  it.each(SIGNALS)('%s is readable on its tint and its mark stands out from card and tint', (signal) => {
    const { tint, ink, mark } = palette.signal[signal]
    expect(contrast(ink, tint)).toBeGreaterThanOrEqual(READABLE)
    expect(contrast(ink, palette.card)).toBeGreaterThanOrEqual(READABLE)
    expect(contrast(palette.ink, tint)).toBeGreaterThanOrEqual(READABLE)
    expect(contrast(mark, palette.card)).toBeGreaterThanOrEqual(2.6)
  })
})

describe('whatever brand color is configured', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

  it('filled buttons, links and the selected menu entry are readable', () => {
    fc.assert(
      fc.property(color, (brand) => {
        const shades = shadesOf(brand)
        for (const filled of [shades[6], shades[7], shades[8]])
          expect(contrast('#ffffff', filled)).toBeGreaterThanOrEqual(READABLE)
        for (const surface of [LIGHT.page, LIGHT.menu, LIGHT.card, LIGHT.hover, shades[0]])
          expect(contrast(shades[7], surface)).toBeGreaterThanOrEqual(READABLE)
        expect(contrast('#ffffff', filledOnDark(shades[6]))).toBeGreaterThanOrEqual(READABLE)
        for (const surface of [DARK.page, DARK.menu, DARK.card, DARK.hover])
          expect(contrast(shades[3], surface)).toBeGreaterThanOrEqual(READABLE)
      }),
    )
  })

  it('a readable color is not changed', () => {
    expect(shadesOf('#3451b2')[6]).toBe('#3451b2')
  })
})

test('the frame in index.html has the same colors', () => {
  const [light = '', dark = ''] = page.split('data-mantine-color-scheme="dark"')
  for (const name of ['page', 'menu', 'card', 'hover', 'line'] as const) {
    expect(light).toContain(`--portal-${name}: ${LIGHT[name]};`)
    expect(dark).toContain(`--portal-${name}: ${DARK[name]};`)
  }
})
