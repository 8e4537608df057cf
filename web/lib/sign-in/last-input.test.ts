import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isUnattended, watchInput } from '#web/lib/sign-in/last-input.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test.each(['pointerdown', 'keydown', 'click', 'input', 'wheel'])('a page is attended for 5 s after %s', (type) => {
  const page = new EventTarget()
  watchInput(page)
  page.dispatchEvent(new Event(type))
  vi.advanceTimersByTime(5000)
  expect(isUnattended()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(isUnattended()).toBe(true)
  page.dispatchEvent(new Event(type))
  expect(isUnattended()).toBe(false)
})
