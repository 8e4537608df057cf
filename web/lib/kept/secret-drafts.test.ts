import { afterEach, expect, test, vi } from 'vitest'
import { openSecretDrafts, readSecretDraft, sealSecretDrafts, writeSecretDraft } from '#web/lib/kept/secret-drafts.ts'

const DRAFT = '{"pin":"271828","note":"Zürich"}'

/** A tab of a browser at the PIN of an account. */
function openTab() {
  const stored = new Map<string, string>()
  const location = { pathname: '/clscredentials', search: '?customer=1', hash: '' }
  const replaceState = vi.fn(() => {
    location.hash = ''
  })
  vi.stubGlobal('window', { location, history: { state: null, replaceState } })
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
  return { stored, location, replaceState }
}
afterEach(() => {
  writeSecretDraft('pin', null)
  vi.unstubAllGlobals()
})

test('a secret draft comes back after a sign-in, and is in clear nowhere meanwhile', () => {
  const { stored, location, replaceState } = openTab()
  writeSecretDraft('pin', DRAFT)
  expect(stored.size).toBe(0)
  location.hash = sealSecretDrafts()
  const outside = [...stored.values(), location.hash, atob(location.hash.slice('#drafts='.length))].join(' ')
  expect(outside).not.toContain('271828')
  expect(atob([...stored.values()][0] ?? '')).not.toContain('271828')
  // The page was left: its memory is gone.
  writeSecretDraft('pin', null)
  openSecretDrafts()
  expect(readSecretDraft('pin')).toBe(DRAFT)
  expect(stored.size).toBe(0)
  expect(replaceState).toHaveBeenCalledWith(null, '', '/clscredentials?customer=1')
})

test('the address alone, and the stored text alone, bring nothing back', () => {
  const { stored, location } = openTab()
  writeSecretDraft('pin', DRAFT)
  const hash = sealSecretDrafts()
  writeSecretDraft('pin', null)
  openSecretDrafts()
  expect(stored.size).toBe(0)
  location.hash = hash
  openSecretDrafts()
  expect(readSecretDraft('pin')).toBeNull()
  expect(location.hash).toBe('')
})

test('without a secret draft the address stays as it is', () => {
  const { stored } = openTab()
  expect(sealSecretDrafts()).toBe('')
  expect(stored.size).toBe(0)
})
