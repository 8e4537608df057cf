import { IconArrowsExchange, IconKey, IconRefresh, IconTrash } from '@tabler/icons-react'
import { lazy } from 'react'
import type { ScimCall, ScimGroup } from '#contract/provisioning/provisioning.ts'
import type { CallOn, DialogOn } from '#web/lib/action.ts'
import { call } from '#web/lib/api/api-client.ts'
import { reloadProvisioning, type ScimToken } from '#web/modules/provisioning/provisioning.api.ts'
import { showPanel } from '#web/ui/panels.ts'

const ScimTokenDialog = lazy(async () => ({
  default: (await import('#web/modules/provisioning/scim-token.dialog.tsx')).ScimTokenDialog,
}))

const MappingDialog = lazy(async () => ({
  default: (await import('#web/modules/provisioning/mapping.dialog.tsx')).MappingDialog,
}))

const right = 'provisioning.manage'

export const MAKE_TOKEN: DialogOn<undefined> = {
  right: 'tokens.create',
  button: 'Create token',
  icon: IconKey,
  opens: () => ({ dialog: (onClose) => <ScimTokenDialog token={undefined} onClose={onClose} /> }),
}

export const REPLACE_TOKEN: DialogOn<ScimToken> = {
  right: 'tokens.create',
  button: 'Replace token',
  icon: IconRefresh,
  opens: (token) => ({ dialog: (onClose) => <ScimTokenDialog token={token} onClose={onClose} /> }),
}

export const REVOKE_TOKEN: CallOn<ScimToken> = {
  right: 'tokens.write',
  button: 'Revoke',
  icon: IconTrash,
  isDangerous: true,
  confirm: {
    act: 'Revoke token',
    question: ({ replacedBy }) =>
      replacedBy === null
        ? 'Revoke the token? The identity provider is refused at once. People and groups stay as they are until it has a new token.'
        : 'Revoke the former token? Calls with it are refused at once.',
  },
  send: ({ id }, customerNumber, idempotencyKey) =>
    call('tokens/revoke', { body: { customerNumber, id }, idempotencyKey }),
  success: () => 'The token has been revoked.',
  notDone: 'Nothing was revoked.',
  onSaved: ({ queries, customerNumber }) => reloadProvisioning(queries, customerNumber),
}

export const MAP: DialogOn<ScimGroup> = {
  right,
  button: 'Choose what it gives',
  icon: IconArrowsExchange,
  opens: (group) => ({ dialog: (onClose) => <MappingDialog group={group} onClose={onClose} /> }),
}

type Replayed = { readonly status: number; readonly reason: string }

export const REPLAY: CallOn<ScimCall, Replayed> = {
  right,
  button: 'Replay',
  icon: IconRefresh,
  applies: ({ isFailed, method }) => isFailed && method !== 'GET',
  confirm: {
    act: 'Replay call',
    question: ({ method, path }) => `Do ${method} ${path} again, as the identity provider sent it?`,
  },
  send: ({ id }, customerNumber, idempotencyKey) =>
    call('provisioning/replay', { body: { customerNumber, id }, idempotencyKey }),
  notDone: 'Nothing was replayed.',
  onSaved: ({ queries, customerNumber }, { status, reason }) => {
    if (reason === '') showPanel('success', `The call was done (${status}).`)
    else showPanel('error', `The call failed again (${status}). ${reason}`)
    return reloadProvisioning(queries, customerNumber)
  },
}
