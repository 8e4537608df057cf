import type {
  MappingEffect,
  previewGroupMapping as PreviewOperation,
  saveGroupMapping as SaveOperation,
} from '#contract/provisioning/provisioning.ts'
import type { ContactRole } from '#domain/access/roles.ts'
import { isLastInCharge, LAST_ADMINISTRATOR } from '#domain/settings/contacts.ts'
import { BusinessRefusal, ConflictError, HttpError } from '#server/http/http-error.ts'
import { listContacts, lockAccount } from '#server/modules/accounts/accounts.public.ts'
import { applyAccess, planAccess } from '#server/modules/provisioning/access/apply-access.ts'
import { listMappings } from '#server/modules/provisioning/access/people.queries.ts'
import {
  findMappedGroup,
  listWebGroupNames,
  type MappedGroup,
  saveMapping,
} from '#server/modules/provisioning/screen/provisioning-screen.queries.ts'
import { auditContext } from '#server/operations/guard.ts'
import type { Call, Result } from '#server/operations/route.ts'

type MappingCall = Call<typeof PreviewOperation> | Call<typeof SaveOperation>
type Target = Pick<MappedGroup, 'role' | 'webGroupId'>
type WebGroups = ReadonlyMap<string, string>

const CHANGED_MEANWHILE = 'What this group gives was changed by somebody else in the meantime.'

export async function previewGroupMapping(
  call: Call<typeof PreviewOperation>,
): Promise<Result<typeof PreviewOperation>> {
  await loadGroup(call)
  return { data: await listEffects(call, await loadWebGroups(call)) }
}

export async function saveGroupMapping(call: Call<typeof SaveOperation>): Promise<Result<typeof SaveOperation>> {
  const { actor, body, db, now, request, services, standing } = call
  const { customerNumber } = standing
  const { groupId, target, oldTarget } = body
  await lockAccount(db, customerNumber)
  const { name, ...current } = await loadGroup(call)
  if (isSame(current, target)) return { data: { people: 0, heldBack: [] } }
  if (!isSame(current, oldTarget)) throw new ConflictError(CHANGED_MEANWHILE, { current, yours: target })
  const webGroups = await loadWebGroups(call)
  const effects = await listEffects(call, webGroups)
  await saveMapping(db, { customerNumber, groupId }, target, { by: actor.email, at: now })
  const by = auditContext(services, request, request.principal)
  const { heldBack } = await applyAccess(db, services, { customerNumber }, by)
  await call.audit({
    target: groupId,
    before: { group: name, gives: givesText(current, webGroups) },
    after: { group: name, gives: givesText(target, webGroups), people: effects.length },
  })
  return { data: { people: effects.length, heldBack: heldBack.map(({ email, err }) => ({ email, reason: err })) } }
}

const isSame = (one: Target, other: Target) => one.role === other.role && one.webGroupId === other.webGroupId

const givesText = ({ role, webGroupId }: Target, webGroups: WebGroups): string =>
  role ?? (webGroupId === null ? 'nothing' : webGroupText(webGroupId, webGroups))

const webGroupText = (webGroupId: string, webGroups: WebGroups) =>
  `Web group ${webGroups.get(webGroupId) ?? webGroupId}`

async function loadGroup({ body, db, standing }: MappingCall): Promise<MappedGroup> {
  const group = await findMappedGroup(db, standing.customerNumber, body.groupId)
  if (!group) throw new HttpError(404, 'There is no such group.')
  return group
}

/** Checks what was chosen, too. */
async function loadWebGroups({ body, db, standing }: MappingCall): Promise<WebGroups> {
  const { role, webGroupId } = body.target
  if (role !== null && webGroupId !== null) throw new HttpError(400, 'A group gives a role or a web group, not both.')
  const webGroups = await listWebGroupNames(db, standing.customerNumber)
  if (webGroupId !== null && !webGroups.has(webGroupId)) throw new HttpError(404, 'There is no such web group.')
  return webGroups
}

/** What changes for whom, by the rule that applies it. */
async function listEffects({ body, db, standing }: MappingCall, webGroups: WebGroups): Promise<MappingEffect[]> {
  const { customerNumber } = standing
  const { groupId, target } = body
  const others = (await listMappings(db, customerNumber)).filter((one) => one.groupId !== groupId)
  const { people, changes } = await planAccess(db, customerNumber, { mappings: [...others, { groupId, ...target }] })
  const contacts = await listContacts(db, customerNumber)
  const roles = new Map<string, ContactRole>(contacts.map(({ email, role }) => [email, role]))
  for (const { email, role } of changes)
    if (role === null) roles.delete(email)
    else if (role) roles.set(email, role)
  const after = [...roles].map(([email, role]) => ({ email, role }))
  if (isLastInCharge(contacts, after)) throw new BusinessRefusal('LAST_ADMINISTRATOR', LAST_ADMINISTRATOR)
  const groupsOf = (ids: readonly string[]) => ids.map((id) => webGroupText(id, webGroups))
  return people.flatMap(({ email, name, role: before }, at) => {
    const { role, joins, leaves } = changes[at]!
    const gets = [...(role ? [role] : []), ...groupsOf(joins)]
    const loses = [...(role !== undefined && before ? [before] : []), ...groupsOf(leaves)]
    return gets.length + loses.length > 0 ? [{ email, name, gets, loses }] : []
  })
}
