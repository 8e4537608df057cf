import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closeSafely, isNewRequest, leaveSafely, onAskToLeave } from '#web/lib/kept/unsaved-changes.ts'

let asked: (() => void) | undefined
let stop: () => void
beforeEach(() => {
  asked = undefined
  stop = onAskToLeave((leave) => {
    asked = leave
  })
})
afterEach(() => stop())

test('a dialog without changes closes at once, whatever the page below has', () => {
  const close = vi.fn()
  closeSafely({ isDirty: false, discard: vi.fn() }, close)
  expect(asked).toBe(undefined)
  expect(close).toHaveBeenCalledOnce()
})

test('a dialog with changes closes after the question, and discards its own changes alone', () => {
  const [close, discard] = [vi.fn(), vi.fn()]
  closeSafely({ isDirty: true, discard }, close)
  expect(close).not.toHaveBeenCalled()
  asked?.()
  expect(discard).toHaveBeenCalledOnce()
  expect(close).toHaveBeenCalledOnce()
})

test('a page without changes is left at once', () => {
  const leave = vi.fn()
  leaveSafely(leave)
  expect(leave).toHaveBeenCalledOnce()
})

test.each([
  ['PUSH', '?id=1', '?id=2', true],
  ['POP', '?id=1', '?id=2', true],
  ['PUSH', '?id=1', '?id=1&product=A', true],
  ['PUSH', '?id=1&product=A', '?id=1&product=A', true],
  ['POP', '?id=1&product=A', '?id=1&product=A', false],
  ['PUSH', '?id=1&product=A', '?product=A&id=1&help=', false],
  ['REPLACE', '?id=1&product=A', '?id=1', false],
])('knows whether %s from "%s" to "%s" asks for something else to edit: %s', (action, here, there, isNew) => {
  expect(isNewRequest({ here, there, action }, ['id', 'product'])).toBe(isNew)
})
