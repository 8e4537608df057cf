import { type Static, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { field, plain, text } from '#domain/audit/words.ts'
import { GIVEN_ROLES } from '#domain/provisioning/wanted-access.ts'
import { CHECK_OUTCOMES, DOMAIN_STATES, LAPSE_DAYS } from '#domain/sign-in-providers/domain-proof.ts'
import { MAX_GROUP_NAME, MAX_GROUP_RULES } from '#domain/sign-in-providers/group-access.ts'
import {
  CLIENT_AUTHS,
  MAX_CLAIM,
  MAX_CLIENT_ID,
  MAX_CLIENT_SECRET,
  MAX_ISSUER,
  MODES,
} from '#domain/sign-in-providers/provider.ts'

const access = { kind: 'account', action: 'sign-in-provider.manage', customerNumberIn: 'body' } as const
const Instant = Type.String({ format: 'date-time' })
const orNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()])
const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] })

const GroupRule = exactly({
  group: PlainLine(MAX_GROUP_NAME, { description: 'As the claim names it', examples: ['License admins'] }),
  role: orNull(oneOf(GIVEN_ROLES)),
  webGroupId: orNull(Type.String({ format: 'uuid', description: 'A group of web users' })),
})

const settings = {
  issuer: PlainLine(MAX_ISSUER, { examples: ['https://id.company.com/realms/staff'] }),
  clientId: PlainLine(MAX_CLIENT_ID, { examples: ['licensing-portal'] }),
  clientAuth: oneOf(CLIENT_AUTHS),
  groupClaim: PlainLine(MAX_CLAIM, {
    description: 'The claim with the groups of a person; empty: none',
    examples: ['groups'],
  }),
  rules: Type.Array(GroupRule, { maxItems: MAX_GROUP_RULES }),
}

const SignInTest = exactly({
  at: Instant,
  by: Type.String({ description: 'Who began it' }),
  isCurrent: Type.Boolean({ description: 'Whether the settings are still those that were tested' }),
  email: orNull(Type.String({ description: 'Who signed in, if that was found out' })),
  role: orNull(Type.String({ description: 'What the groups would give' })),
  reason: orNull(Type.String({ description: 'Why it failed; null if it succeeded' })),
})

const Provider = exactly({
  ...settings,
  hasSecret: Type.Boolean(),
  publicKey: orNull(Type.String({ description: 'The key set for private_key_jwt, in JSON' })),
  mode: oneOf(MODES),
  breakGlass: orNull(Type.String()),
  isTested: Type.Boolean({ description: 'Whether a test succeeded with the settings as they are' }),
  test: orNull(SignInTest),
})

const Domain = exactly({
  domain: Type.String({ examples: ['company.com'] }),
  recordName: Type.String({ examples: ['_licensing-portal.company.com'] }),
  recordValue: Type.String(),
  state: oneOf(DOMAIN_STATES),
  addedBy: Type.String(),
  provenAt: orNull(Instant),
  checkedAt: orNull(Instant),
  outcome: orNull(oneOf(CHECK_OUTCOMES)),
  failures: Type.Integer({ description: 'Failed checks in a row' }),
})

const SignInProvider = exactly({
  revision: Revision,
  redirectUri: Type.String({ description: 'Where the provider sends people back to' }),
  signOutUri: Type.String({ description: 'Where it sends them after they have signed out' }),
  keysUri: Type.String({ description: 'Where it reads the keys of private_key_jwt' }),
  provider: orNull(Provider),
  domains: Type.Array(Domain),
  administrators: Type.Array(Type.String(), { description: 'Who can be the break-glass address' }),
  webGroups: Type.Array(exactly({ id: Type.String(), name: Type.String() })),
  mustSignInAgain: Type.Boolean({ description: 'The caller has to use the provider, and has not' }),
})
export type SignInProvider = Static<typeof SignInProvider>
export type ProviderDomain = Static<typeof Domain>
export type SignInTest = Static<typeof SignInTest>

export const getSignInProvider = operation({
  name: 'sign-in-provider',
  summary: 'The domains of an account and its own sign-in provider',
  access,
  token: null,
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: SignInProvider,
})

export const saveSignInProvider = operation({
  name: 'sign-in-provider/save',
  summary: 'Save the provider. It has to be tested again where something has changed that sign-ins depend on',
  refusals: ['SIGN_IN_NOT_READY'],
  access,
  token: null,
  writes: true,
  audit: {
    what: 'save the sign-in provider',
    done: ({ before, after }) =>
      `${before ? 'Changed' : 'Added'} the sign-in provider ${text(field(after, 'issuer'))}`.trimEnd(),
  },
  freshSignIn: true,
  body: requestFields({
    customerNumber: CustomerNumber,
    ...settings,
    clientSecret: Type.Optional(
      PlainLine(MAX_CLIENT_SECRET, {
        description: 'Without it, the stored one stays',
        examples: ['made by your identity provider'],
      }),
    ),
    newKey: Type.Optional(Type.Boolean({ description: 'Make a new key for private_key_jwt' })),
    revision: Revision,
  }),
  data: SignInProvider,
})

export const switchSignInProvider = operation({
  name: 'sign-in-provider/switch',
  summary: 'Say whether people of the proven domains can, or must, sign in through the provider of the account',
  refusals: ['SIGN_IN_NOT_READY'],
  access,
  token: null,
  writes: true,
  audit: {
    what: 'switch the sign-in provider',
    done: ({ after }) => `Switched the sign-in provider to ${text(field(after, 'mode')) || 'another mode'}`,
  },
  freshSignIn: true,
  body: requestFields({
    customerNumber: CustomerNumber,
    mode: oneOf(MODES),
    breakGlass: orNull(
      Type.String({ maxLength: 254, description: 'An administrator who can still sign in without it' }),
    ),
    revision: Revision,
  }),
  data: SignInProvider,
})

export const removeSignInProvider = operation({
  name: 'sign-in-provider/remove',
  summary: 'Remove the provider with its secrets, and end the sessions that began there. Domains stay',
  access,
  token: null,
  writes: true,
  audit: plain('Removed the sign-in provider', 'remove the sign-in provider'),
  freshSignIn: true,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: Type.Null(),
})

const DomainName = Type.String({ maxLength: 300, examples: ['company.com'] })
const oneDomain = requestFields({ customerNumber: CustomerNumber, domain: DomainName })

export const addSignInDomain = operation({
  name: 'sign-in-provider/domains/add',
  summary: 'Add a domain of the account. A TXT record proves it',
  refusals: ['TOO_MANY_DOMAINS', 'DOMAIN_EXISTS'],
  access,
  token: null,
  writes: true,
  audit: plainDomain('Added the domain', 'add a domain'),
  freshSignIn: true,
  body: oneDomain,
  data: Domain,
})

export const checkSignInDomain = operation({
  name: 'sign-in-provider/domains/check',
  summary: `Read the TXT record of a domain now. It is read again every day; ${LAPSE_DAYS} days without it end the proof`,
  refusals: ['DOMAIN_TAKEN'],
  access,
  token: null,
  writes: true,
  audit: {
    what: 'check a domain',
    done: ({ target, after }) => `Checked the domain ${target ?? ''}: ${text(field(after, 'state'))}`,
  },
  body: oneDomain,
  data: Domain,
})

export const removeSignInDomain = operation({
  name: 'sign-in-provider/domains/remove',
  summary: 'Remove a domain. Its people no longer sign in through the provider of the account',
  refusals: ['SIGN_IN_NOT_READY'],
  access,
  token: null,
  writes: true,
  audit: plainDomain('Removed the domain', 'remove a domain'),
  freshSignIn: true,
  body: oneDomain,
  data: Type.Null(),
})

function plainDomain(did: string, what: string) {
  return { what, done: ({ target }: { target: string | null }) => `${did} ${target ?? ''}`.trimEnd() }
}
