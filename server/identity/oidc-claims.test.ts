import type { IDToken } from 'openid-client'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { identityOf, rolesOf } from '#server/identity/oidc-claims.ts'

const { signIn } = readConfig({
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLE_MAP: 'LP-Ops=busops, LP-Help=support, sales=sales',
})
const claims = (groups: unknown) => ({ iss: '', sub: '', aud: '', exp: 0, iat: 0, groups }) as unknown as IDToken

test.each<[unknown, string[]]>([
  ['LP-Ops', ['busops']],
  [
    ['LP-Ops', 'LP-Help', 'LP-Ops'],
    ['busops', 'support'],
  ],
  [['sales'], ['sales']],
  ['admin', []],
  [['admin', 'busops', 'support'], []],
  [[['LP-Ops'], 'LP-Help'], ['support']],
  [{ 'LP-Ops': true }, []],
  [[{ name: 'LP-Ops' }, null, 7, true], []],
  [JSON.parse('{"toString": null}'), []],
  ['LP-Ops,LP-Help', []],
  ['lp-ops', []],
  ['__proto__', []],
  ['', []],
  [null, []],
  [undefined, []],
])('the claim %j gives %j', (groups, roles) => {
  expect(rolesOf(claims(groups), signIn!)).toEqual(roles)
})

test('without a role claim there are no roles', () => {
  expect(rolesOf(claims(['LP-Ops']), { ...signIn!, roleClaim: undefined })).toEqual([])
})

test('a name is kept without control characters', () => {
  const named = {
    ...claims([]),
    email: 'ada@aerodyne.example',
    email_verified: true,
    given_name: 'A\0da\n',
    family_name: 7,
  }
  expect(identityOf(named as unknown as IDToken, signIn!)).toMatchObject({ firstName: 'Ada', lastName: '' })
})
