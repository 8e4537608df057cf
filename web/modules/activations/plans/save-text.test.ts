import { expect, test } from 'vitest'
import { saveText } from '#web/modules/activations/plans/save-text.ts'

const change = (kind: 'activate' | 'deactivate', count: number, isTicked = true) => ({ kind, count, isTicked })

test.each([
  ['Activate 8 seats', [change('activate', 5), change('activate', 3)]],
  ['Activate 1 seat', [change('activate', 1), change('activate', 3, false)]],
  ['Deactivate 1,200 seats', [change('deactivate', 1200)]],
  ['Activate 8 and deactivate 1 seat', [change('activate', 8), change('deactivate', 1)]],
  ['Save changes', [change('activate', 8, false)]],
])('the button of a save says "%s"', (text, changes) => {
  expect(saveText(changes)).toBe(text)
})
