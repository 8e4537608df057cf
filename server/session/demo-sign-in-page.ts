import type { DemoPerson } from '#server/doors/demo-identity.ts'
import { escapeHtml, page } from '#server/http/plain-page.ts'

/** The demo provider's only screen: who do you want to be? */
export function demoSignInPage(brand: string, people: readonly DemoPerson[], uid: string, nonce: string): string {
  const rows = people
    .map(
      (
        person,
      ) => `<li><form method="post" action="/demo-idp/interaction/${escapeHtml(uid)}/as/${encodeURIComponent(person.email)}">
      <button><b>${escapeHtml(`${person.firstName} ${person.lastName}`)}</b><span>${escapeHtml(person.email)}</span><small>${escapeHtml(person.about)}</small></button></form></li>`,
    )
    .join('\n')
  return page(
    `${brand} – demo sign-in`,
    nonce,
    `<h1>Who do you want to be?</h1>
    <p>This portal runs with demo people and demo data. Choose one of them; no password is asked.</p>
    <ul class="people">${rows}</ul>`,
  )
}
