import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closeSafely, leaveSafely, onAskToLeave } from '#web/lib/unsaved-changes.ts'

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
