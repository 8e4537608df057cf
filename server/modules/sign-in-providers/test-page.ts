import type { IDToken } from 'openid-client'
import { escapeHtml } from '#server/http/plain-page.ts'

type Shown = {
  readonly reason: string | undefined
  readonly claims: IDToken | undefined
  /** In the claim for groups; undefined if it was not sent. */
  readonly groups: readonly string[] | undefined
  readonly groupClaim: string
  readonly role: string | null
  readonly back: string
}

const MAX_VALUE = 300
/** Of one sign-in, and without meaning for a person. */
const HIDDEN = ['nonce', 'at_hash', 'c_hash', 's_hash', 'jti', 'sid']

/** What a test of the sign-in has found: the claims that arrived, and what they would give. */
export function testPage({ reason, claims, groups, groupClaim, role, back }: Shown): string {
  const head =
    reason === undefined
      ? `<h1>The sign-in works</h1><p>Nobody was signed in. You can switch the provider on now.</p>`
      : `<h1>The sign-in does not work yet</h1><p role="alert">${escapeHtml(reason)}</p>`
  const rows = Object.entries(claims ?? {})
    .filter(([name]) => !HIDDEN.includes(name))
    .map(([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(textOf(value))}</td></tr>`)
    .join('')
  const table =
    rows === ''
      ? ''
      : `<h2>Role</h2><p>${escapeHtml(roleText(groups, groupClaim, role))}</p>
    <h2>Claims</h2><table><thead><tr><th scope="col">Claim</th><th scope="col">Value</th></tr></thead><tbody>${rows}</tbody></table>`
  return `${head}${table}<p><br><a href="${escapeHtml(back)}">Back to Sign-in</a></p>`
}

function roleText(groups: Shown['groups'], groupClaim: string, role: string | null): string {
  if (groupClaim === '') return 'No claim for groups is set. Contacts keep the roles that they have in Portal Access.'
  if (groups === undefined)
    return `The provider sent no claim "${groupClaim}". Contacts keep the roles that they have in Portal Access.`
  return role === null ? 'None of the groups has a role.' : `The groups give the role ${role}.`
}

const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}
