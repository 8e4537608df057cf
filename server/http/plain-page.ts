/** Pages that work without the web app: sign-in, the demo sign-in, errors of a sign-in, and the accessibility report. */
export function page(title: string, nonce: string, body: string, brandColor?: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${escapeHtml(title)}</title><style nonce="${nonce}">${STYLE}${brandColor ? `:root { --brand: ${brandColor} }` : ''}</style></head><body><main>${body}</main></body></html>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The mark of the portal, as in the favicon. */
export const MARK =
  '<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="currentColor"/><path d="M11 9v14h10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><circle cx="20" cy="12" r="3" fill="#fff"/></svg>'

/** The colors of web/ui/theme/tokens.ts and the font of the web app. */
const STYLE = `
@font-face { font-family: Inter; src: url(/assets/inter.woff2); font-weight: 100 900 }
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #ededf1; --card: #fff; --page: #fafafb; --act: #3451b2; --fill: #3451b2; --edge: #8b8f99; --wrong: #931a14 }
@media (prefers-color-scheme: dark) { :root { --ink: #eceef0; --soft: #a8adb5; --line: #24262a; --card: #16171a; --page: #0e0f11; --act: #9eb1ff; --fill: #4a67cf; --edge: #6b727d; --wrong: #ffb9b2 } }
* { box-sizing: border-box }
body { margin: 0; font: 14px/20px Inter, system-ui, sans-serif; color: var(--ink); background: var(--page) }
main { max-width: 60rem; margin: 0 auto; padding: 3rem 1rem }
.brand { display: flex; align-items: center; gap: .625rem; margin: 0 0 2rem; color: var(--ink); font-weight: 600 } .brand svg { color: var(--brand, var(--act)); flex: none }
h1 { font: 600 20px/28px Inter, system-ui, sans-serif; letter-spacing: -.01em; margin: 0 0 .25rem } p { color: var(--soft); margin: 0 0 1.5rem } a { color: var(--act) }
.people { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)) }
.people button { width: 100%; height: 100%; text-align: left; display: grid; align-content: start; gap: .1rem; padding: .75rem 1rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; cursor: pointer }
.people form, .people li { height: 100% } .people span { color: var(--soft); font-size: 13px; overflow-wrap: anywhere } .people small { color: var(--soft); font-size: 12px }
.people button:hover { border-color: var(--act) } .people button:focus-visible { outline: 2px solid var(--act); outline-offset: 2px }
.sign-in { max-width: 22.5rem; margin: 0 auto } .sign-in form { display: grid; gap: .25rem; margin: 0 0 1.5rem } .sign-in label { font-weight: 500 }
.sign-in input { height: 36px; padding: 0 .625rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: 6px }
.sign-in input[aria-invalid] { border-color: var(--wrong) } .sign-in .error { color: var(--wrong); margin: 0 }
.sign-in form button { height: 36px; margin-top: .75rem; font: inherit; font-weight: 500; color: #fff; background: var(--fill); border: 0; border-radius: 6px; cursor: pointer }
.sign-in input:focus-visible, .sign-in button:focus-visible { outline: 2px solid var(--act); outline-offset: 2px }
h2 { font: 600 16px/24px Inter, system-ui, sans-serif; margin: 2rem 0 .5rem } table { width: 100%; border-collapse: collapse; font-size: 13px }
th, td { padding: .5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere } th { font-weight: 500 }
thead th { color: var(--soft) } th:first-child { width: 30% } th:nth-child(2) { width: 20% } tr { break-inside: avoid }
@media print { main { max-width: none; padding: 0 } }`
