/** State of an installation. With `roleClaims` the identity provider says who is staff. */
export type Installed = { readonly staff: boolean; readonly accounts: boolean; readonly roleClaims: boolean }

/**
 * `new`: nobody is in charge yet and there is no account. `empty`: there is no account. `unstaffed`: there are accounts, and
 * nobody is in charge. What one person is told about it: people without a staff role learn nothing of an installation that
 * somebody is in charge of.
 */
export const SETUP_STATES = ['new', 'empty', 'unstaffed', 'ready'] as const
export type SetupState = (typeof SETUP_STATES)[number]

export function setupStateFor(installed: Installed, person: { readonly isStaff: boolean }): SetupState {
  if (installed.accounts) return isUnstaffed(installed) && !person.isStaff ? 'unstaffed' : 'ready'
  if (person.isStaff) return 'empty'
  return installed.staff ? 'ready' : 'new'
}

/** What the operator is told on the command line. */
export function setupStateOf(installed: Installed): SetupState {
  if (installed.accounts) return isUnstaffed(installed) ? 'unstaffed' : 'ready'
  return installed.staff ? 'empty' : 'new'
}

const isUnstaffed = ({ staff, roleClaims }: Installed) => !staff && !roleClaims

/** Each state in one sentence. */
export const SETUP_TEXTS: Readonly<Record<SetupState, string>> = {
  new: 'There are no accounts yet, and nobody has a staff role.',
  empty: 'There are no accounts yet.',
  unstaffed: 'There are accounts, but nobody has a staff role.',
  ready: '',
}

export type SetupStep = { readonly title: string; readonly why: string; readonly commands: readonly string[] }

type Installation = {
  /** What runs a command of the portal there, such as `bin/portal`. */
  readonly command: string
  /** Of the first person in charge, if known. */
  readonly email?: string
}

/** What the operator does next, in this order. */
export function setupSteps(state: SetupState, { command, email = 'you@vendor.example' }: Installation): SetupStep[] {
  const portal: Portal = (...words) => [command, ...words.map(shellWord)].join(' ')
  switch (state) {
    case 'ready':
      return []
    case 'unstaffed':
      return [firstRole(portal, email)]
    case 'new':
      return [firstRole(portal, email), importData(portal), createKeys(portal)]
    case 'empty':
      return [importData(portal), createKeys(portal)]
  }
}

type Portal = (...words: string[]) => string

function firstRole(portal: Portal, email: string): SetupStep {
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

const importData = (portal: Portal): SetupStep => ({
  title: 'Import your data',
  why: 'In this order, as far as you have such data. docs/import describes the files. Add --dry-run to check a file first.',
  commands: KINDS.map((kind) => portal('import', kind, `${kind}.csv`)),
})

const createKeys = (portal: Portal): SetupStep => ({
  title: 'Create keys for your systems',
  why: 'A system with a service key keeps the data up to date through /service/v1.',
  commands: [portal('keys', 'create', 'ERP system', '--scope', 'accounts,catalog,entitlements,hosts,roles,usage')],
})

/** A word as a shell reads it: quoted if it holds anything but plain characters. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
