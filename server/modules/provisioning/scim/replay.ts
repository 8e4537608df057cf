import type { WireAnswer } from '#server/http/envelope.ts'
import { HttpError } from '#server/http/http-error.ts'
import {
  createGroup,
  readOneGroup,
  removeGroup,
  replaceGroup,
  searchGroups,
  updateOneGroup,
} from '#server/modules/provisioning/scim/groups.ts'
import type { ScimRequest, ScimWriting } from '#server/modules/provisioning/scim/scim-act.ts'
import {
  createUser,
  readOneUser,
  removeUser,
  replaceUser,
  searchUsers,
  updateOneUser,
} from '#server/modules/provisioning/scim/users.ts'

type Act = (act: ScimWriting, request: ScimRequest) => Promise<WireAnswer>

/** What a call on a list or on one resource does, by its method. */
const LISTS: Readonly<Record<string, Act>> = {
  'GET Users': searchUsers,
  'POST Users': createUser,
  'GET Groups': searchGroups,
  'POST Groups': createGroup,
}
const RESOURCES: Readonly<Record<string, Act>> = {
  'GET Users': readOneUser,
  'PUT Users': replaceUser,
  'PATCH Users': updateOneUser,
  'DELETE Users': removeUser,
  'GET Groups': readOneGroup,
  'PUT Groups': replaceGroup,
  'PATCH Groups': updateOneGroup,
  'DELETE Groups': removeGroup,
}

export type LoggedCall = { readonly method: string; readonly path: string; readonly body: unknown }

/** Does a logged call again. What it refuses is thrown, as in the call of a provider. */
export async function replayScim(act: ScimWriting, { method, path, body }: LoggedCall): Promise<WireAnswer> {
  const [name = '', search = ''] = path.split('?', 2)
  const [, type = '', id] = name.split('/')
  const perform = (id ? RESOURCES : LISTS)[`${method} ${type}`]
  if (!perform) throw new HttpError(400, 'This call cannot be repeated.')
  const query = Object.fromEntries(new URLSearchParams(search))
  return perform(act, { query, body, ...(id ? { id: decodeURIComponent(id) } : {}) })
}
