import { ADMINISTRATOR, type ContactRole, type StaffRole, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'

type GrantKind = 'sales-access' | 'fnp-license-generator'

type Right =
  | { readonly kind: 'staff'; readonly role: StaffRole }
  | { readonly kind: 'contact'; readonly role: ContactRole }
  | { readonly kind: 'grant'; readonly grant: GrantKind }
  | { readonly kind: 'nothing' }

type DemoPerson = {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly right: Right
  /** The right in words, for the sign-in page and the start banner. */
  readonly is: string
  /** Accounts on which the person has the right; staff see every account and need none. */
  readonly accounts: readonly string[]
}

type Name = readonly [firstName: string, lastName: string]

const person = (
  email: string,
  [firstName, lastName]: Name,
  right: Right,
  is: string,
  accounts: readonly string[] = [],
) => ({ email, firstName, lastName, right, is, accounts }) satisfies DemoPerson

const STAFF_LABELS: Record<StaffRole, string> = {
  busops: 'Business operations',
  support: 'Support',
  sales: 'Sales',
  admin: 'Portal administration',
}

const staff = (email: string, name: Name, role: StaffRole) =>
  person(email, name, { kind: 'staff', role }, STAFF_LABELS[role])
const contact = (email: string, name: Name, role: ContactRole, ...accounts: string[]) =>
  person(email, name, { kind: 'contact', role }, role, accounts)
const granted = (email: string, name: Name, grant: GrantKind, is: string, ...accounts: string[]) =>
  person(email, name, { kind: 'grant', grant }, is, accounts)

/** The people whom the demo identity provider knows. Everyone else among the contacts has never signed in. */
export const DEMO_PEOPLE: readonly DemoPerson[] = [
  staff('olivia.ops@vendor.example', ['Olivia', 'Ops'], 'busops'),
  staff('sam.support@vendor.example', ['Sam', 'Support'], 'support'),
  staff('sara.sales@vendor.example', ['Sara', 'Sales'], 'sales'),
  staff('adam.admin@vendor.example', ['Adam', 'Admin'], 'admin'),
  contact('ada.admin@aerodyne.example', ['Ada', 'Admin'], ADMINISTRATOR, '100001', '100002'),
  contact('cora.coordinator@aerodyne.example', ['Cora', 'Coordinator'], SUPPORT_COORDINATOR, '100001'),
  contact('vic.viewer@aerodyne.example', ['Vic', 'Viewer'], VIEWER, '100001'),
  // Identity providers mark external people in the last name; the avatar must leave that out.
  granted(
    'greta.generator@partner.example',
    ['Greta', 'Generator (External)'],
    'fnp-license-generator',
    'FNP license generator',
    '100003',
  ),
  granted('saul.access@partner.example', ['Saul', 'Access'], 'sales-access', 'Sales access', '100003'),
  contact('sol.single@bluewater.example', ['Sol', 'Single'], ADMINISTRATOR, '100006'),
  contact('ella.export@restricted.example', ['Ella', 'Export'], ADMINISTRATOR, '100004'),
  contact('uma.untyped@untyped.example', ['Uma', 'Untyped'], ADMINISTRATOR, '100005'),
  contact('nina.nimbus@nimbus.example', ['Nina', 'Nimbus'], ADMINISTRATOR, '100007'),
  contact('hal.heritage@heritage.example', ['Hal', 'Heritage'], ADMINISTRATOR, '100008'),
  person('ned.nobody@nowhere.example', ['Ned', 'Nobody'], { kind: 'nothing' }, 'No account'),
]
