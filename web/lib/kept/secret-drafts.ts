/*
 * Drafts with a secret, such as a PIN that was typed and not saved, are kept in the memory of this page and nowhere else. A
 * sign-in leaves the page. It takes them along encrypted with a one-time pad: the encrypted text in the session storage of
 * this tab, the pad in the address to return to, which the portal keeps until then. Neither says anything without the other, and both
 * are gone once the page is open again.
 */
const STORE = 'sealed-drafts'
const MARK = '#drafts='

const held = new Map<string, string>()

export const readSecretDraft = (key: string): string | null => held.get(key) ?? null

export function writeSecretDraft(key: string, draft: string | null): void {
  if (draft === null) held.delete(key)
  else held.set(key, draft)
}

/** Before the page is left for a sign-in: what the address to return to must end with; empty if there is no such draft. */
export function sealSecretDrafts(): string {
  if (held.size === 0) return ''
  const text = new TextEncoder().encode(JSON.stringify([...held]))
  const pad = crypto.getRandomValues(new Uint8Array(text.length))
  sessionStorage.setItem(STORE, toText(combined(text, pad)))
  return MARK + toText(pad)
}

/** When a page opens, before anything reads a draft. */
export function openSecretDrafts(): void {
  const sealed = sessionStorage.getItem(STORE)
  sessionStorage.removeItem(STORE)
  const { hash, pathname, search } = window.location
  if (!hash.startsWith(MARK)) return
  window.history.replaceState(window.history.state, '', pathname + search)
  if (sealed === null) return
  try {
    const text = new TextDecoder().decode(combined(toBytes(sealed), toBytes(hash.slice(MARK.length))))
    for (const [key, draft] of JSON.parse(text) as [string, string][]) held.set(key, draft)
  } catch {
    // The pad belongs to another draft, or was changed.
  }
}

const combined = (bytes: Uint8Array, pad: Uint8Array) => bytes.map((byte, index) => byte ^ (pad[index] ?? 0))
const toText = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const toBytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
