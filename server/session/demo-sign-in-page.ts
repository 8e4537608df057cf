import type { Config } from '#server/config.ts'
import type { DemoPerson } from '#server/doors/demo-identity.ts'
import { escapeHtml, page } from '#server/http/plain-page.ts'

/** The only page of the demo provider: a list of demo people to sign in as. */
export function demoSignInPage(
  brand: Config['brand'],
  people: readonly DemoPerson[],
  uid: string,
  nonce: string,
): string {
  const rows = people
    .map(
      (
        person,
      ) => `<li><form method="post" action="/demo-idp/interaction/${escapeHtml(uid)}/as/${encodeURIComponent(person.email)}">
      <button><b>${escapeHtml(`${person.firstName} ${person.lastName}`)}</b><span>${escapeHtml(person.email)}</span><small>${escapeHtml(person.about)}</small></button></form></li>`,
    )
    .join('\n')
  return page(
    `${brand.name} – demo sign-in`,
    nonce,
    `<p class="brand">${MARK}${escapeHtml(brand.name)}</p>
    <h1>Choose a demo person</h1>
    <p>This installation has demo people and demo data. No password is needed.</p>
    <ul class="people">${rows}</ul>`,
    brand.color,
  )
}

/** The mark of the portal, as in the favicon. */
const MARK =
  '<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="currentColor"/><path d="M11 9v14h10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><circle cx="20" cy="12" r="3" fill="#fff"/></svg>'
