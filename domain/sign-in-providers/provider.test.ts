import { describe, expect, test } from 'vitest'
import { VIEWER } from '#domain/access/roles.ts'
import type { GroupRule } from '#domain/sign-in-providers/group-access.ts'
import {
  BREAK_GLASS_NEEDED,
  CLAIM_REQUIRED,
  CLIENT_ID_REQUIRED,
  GROUP_REQUIRED,
  GROUP_TWICE,
  ISSUER_HAS_QUERY,
  ISSUER_IS_DISCOVERY,
  ISSUER_OF_MANY,
  ISSUER_REQUIRED,
  type Mode,
  NO_PROVEN_DOMAIN,
  NOT_TESTED,
  type ProviderSettings,
  providerErrors,
  SECRET_REQUIRED,
  switchRefusal,
} from '#domain/sign-in-providers/provider.ts'

const GOOD: ProviderSettings = {
  issuer: 'https://id.aerodyne.example/realms/staff',
  clientId: 'portal',
  clientAuth: 'client_secret_basic',
  clientSecret: 'secret',
  groupClaim: '',
  rules: [],
}
const rule = (group: string): GroupRule => ({ group, role: VIEWER, webGroupId: null })

describe('settings of a provider', () => {
  test.each<[change: Partial<ProviderSettings>, hasSecret: boolean, errors: Record<string, string>]>([
    [{}, false, {}],
    [{ clientSecret: '' }, true, {}],
    [{ clientSecret: '' }, false, { clientSecret: SECRET_REQUIRED }],
    [{ clientSecret: '', clientAuth: 'private_key_jwt' }, false, {}],
    [{ issuer: ' ' }, false, { issuer: ISSUER_REQUIRED }],
    [{ issuer: `${GOOD.issuer}/.well-known/openid-configuration` }, false, { issuer: ISSUER_IS_DISCOVERY }],
    [{ issuer: `${GOOD.issuer}?a` }, false, { issuer: ISSUER_HAS_QUERY }],
    [{ issuer: 'https://login.microsoftonline.com/common/v2.0' }, false, { issuer: ISSUER_OF_MANY }],
    [{ issuer: 'https://login.microsoftonline.com/organizations' }, false, { issuer: ISSUER_OF_MANY }],
    [{ issuer: 'https://login.microsoftonline.com/3a8f4a5e-0000-4000-8000-000000000000/v2.0' }, false, {}],
    [{ clientId: '' }, false, { clientId: CLIENT_ID_REQUIRED }],
    [{ rules: [rule('CFD')] }, false, { groupClaim: CLAIM_REQUIRED }],
    [
      { groupClaim: 'groups', rules: [rule('CFD'), rule(' '), rule('CFD ')] },
      false,
      { 'rules.1.group': GROUP_REQUIRED, 'rules.2.group': GROUP_TWICE },
    ],
  ])('%j with a stored secret: %s have the errors %j', (change, hasSecret, errors) => {
    expect(providerErrors({ ...GOOD, ...change }, hasSecret)).toEqual(errors)
  })
})

describe('switching a provider', () => {
  const READY = { isTested: true, hasDomain: true, administrators: ['ada@aerodyne.example'] }
  test.each<[mode: Mode, breakGlass: string | null, change: Partial<typeof READY>, refusal: string | undefined]>([
    ['off', null, { isTested: false, hasDomain: false }, undefined],
    ['optional', null, {}, undefined],
    ['optional', null, { hasDomain: false }, NO_PROVEN_DOMAIN],
    ['optional', null, { isTested: false }, NOT_TESTED],
    ['enforced', 'Ada@aerodyne.example', {}, undefined],
    ['enforced', 'ada@aerodyne.example', { isTested: false }, NOT_TESTED],
    ['enforced', null, {}, BREAK_GLASS_NEEDED],
    ['enforced', 'vic@aerodyne.example', {}, BREAK_GLASS_NEEDED],
  ])('to %s with the break-glass address %s and %j: %s', (mode, breakGlass, change, refusal) => {
    expect(switchRefusal({ mode, breakGlass }, { ...READY, ...change })).toBe(refusal)
  })
})
