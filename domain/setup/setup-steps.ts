/** What an installation has. */
export type Installed = { readonly staff: boolean; readonly accounts: boolean }

/**
 * `new`: nobody is in charge yet and there is no account. `empty`: there is no account. What one person is told about it: people
 * without a staff role learn nothing of an installation that somebody is in charge of.
 */
export const SETUP_STATES = ['new', 'empty', 'ready'] as const
export type SetupState = (typeof SETUP_STATES)[number]

export function setupStateFor({ staff, accounts }: Installed, person: { readonly isStaff: boolean }): SetupState {
  if (accounts) return 'ready'
  if (person.isStaff) return 'empty'
  return staff ? 'ready' : 'new'
}

export type SetupStep = { readonly title: string; readonly why: string; readonly commands: readonly string[] }

const portal = (...words: string[]) => `npm run portal -- ${words.map(shellWord).join(' ')}`

/** What the operator does next, in this order. The email is that of the first person in charge, if known. */
export function setupSteps(state: SetupState, email = 'you@vendor.example'): SetupStep[] {
  switch (state) {
    case 'ready':
      return []
    case 'new':
      return [firstRole(email), IMPORT, KEYS]
    case 'empty':
      return [IMPORT, KEYS]
  }
}

function firstRole(email: string): SetupStep {
  return {
    title: 'Give the first person a staff role',
    why: 'Business operations (busops) see every account and decide who else has access.',
    commands: [portal('users', 'grant', email, 'busops')],
  }
}

/** Every kind of record, each after those that it refers to. */
const KINDS = [
  'products',
  'rate-tables',
  'price-lists',
  'accounts',
  'contacts',
  'roles',
  'elastic-servers',
  'fsa-contracts',
  'entitlements',
  'hosts',
  'fulfillments',
  'usage',
]

const IMPORT: SetupStep = {
  title: 'Import your data',
  why: 'In this order, as far as you have such data. docs/import describes the files. Add --dry-run to check a file first.',
  commands: KINDS.map((kind) => portal('import', kind, `${kind}.csv`)),
}

const KEYS: SetupStep = {
  title: 'Create keys for your systems',
  why: 'A system with a service key keeps the data up to date through /service/v1.',
  commands: [portal('keys', 'create', 'ERP system', '--scope', 'accounts,catalog,entitlements,hosts,roles,usage')],
}

/** A word as a shell reads it: quoted if it holds anything but plain characters. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
