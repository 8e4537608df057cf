import { IconKey, IconRefresh, IconTrash } from '@tabler/icons-react'
import { lazy } from 'react'
import type { CallOn, DialogOn } from '#web/lib/action.ts'
import { call } from '#web/lib/api/api-client.ts'
import { stateOf } from '#web/modules/tokens/token-columns.tsx'
import { reloadTokens, type TokenRow } from '#web/modules/tokens/tokens.api.ts'

const NewTokenDialog = lazy(async () => ({
  default: (await import('#web/modules/tokens/new-token.dialog.tsx')).NewTokenDialog,
}))

const RollTokenDialog = lazy(async () => ({
  default: (await import('#web/modules/tokens/roll-token.dialog.tsx')).RollTokenDialog,
}))

const TokenDialog = lazy(async () => ({
  default: (await import('#web/modules/tokens/token.dialog.tsx')).TokenDialog,
}))

export const CREATE: DialogOn<undefined> = {
  button: 'Create token',
  icon: IconKey,
  right: 'tokens.create',
  opens: () => ({
    dialog: (onClose) => <TokenDialog onClose={onClose} form={(props) => <NewTokenDialog {...props} />} />,
  }),
}

export const REPLACE: DialogOn<TokenRow> = {
  button: 'Replace',
  icon: IconRefresh,
  right: 'tokens.create',
  isHiddenWithoutRight: true,
  applies: (token) => stateOf(token) === 'Active',
  opens: (token) => ({
    dialog: (onClose) => (
      <TokenDialog onClose={onClose} form={(props) => <RollTokenDialog {...props} token={token} />} />
    ),
  }),
}

export const REVOKE: CallOn<TokenRow> = {
  button: 'Revoke',
  icon: IconTrash,
  right: 'tokens.write',
  isDangerous: true,
  applies: (token) => ['Active', 'Replaced'].includes(stateOf(token)),
  confirm: {
    act: 'Revoke token',
    question: ({ name }) =>
      `Revoke the token "${name}"? Programs that use it are refused at once. A revoked token cannot be restored.`,
  },
  send: ({ id }, customerNumber, idempotencyKey) =>
    call('tokens/revoke', { body: { customerNumber, id }, idempotencyKey }),
  success: () => 'The token has been revoked.',
  notDone: 'Nothing was revoked.',
  onSaved: ({ queries, customerNumber }) => reloadTokens(queries, customerNumber),
}
