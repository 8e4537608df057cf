import { lazy } from 'react'
import { ADDRESS_NOT_VALID, parseNetwork } from '#domain/elastic/credentials/ip-rules.ts'
import { readUsernames } from '#domain/elastic/credentials/usernames.ts'
import type { Action, DialogOn } from '#web/lib/action.ts'

/** Only who lets somebody in needs its code. */
const LetInDialog = lazy(async () => ({
  default: (await import('#web/modules/elastic/credentials/let-in.dialog.tsx')).LetInDialog,
}))

/** Who was denied, and on which elastic license server, if it is not that of the account. */
export type Denied = { readonly subject: string; readonly server?: string }

export const ALLOW_ADDRESS: DialogOn<Denied> = {
  button: 'Allow address',
  right: 'ip-rules.write',
  opens: (denied) => ({ dialog: (onClose) => <LetInDialog what="address" {...denied} onClose={onClose} /> }),
}

export const ADD_USERNAME: DialogOn<Denied> = {
  button: 'Add username',
  right: 'credentials.write',
  opens: (denied) => ({ dialog: (onClose) => <LetInDialog what="username" {...denied} onClose={onClose} /> }),
}

/** Only who raises a limit needs its code. */
const RaiseLimitDialog = lazy(async () => ({
  default: (await import('#web/modules/elastic/limits/raise-limit.dialog.tsx')).RaiseLimitDialog,
}))

export const RAISE_LIMIT: DialogOn<{ readonly limitId: string }> = {
  button: 'Raise the limit',
  right: 'limits.write',
  opens: ({ limitId }) => ({ dialog: (onClose) => <RaiseLimitDialog limitId={limitId} onClose={onClose} /> }),
}

const LET_IN = 'allow add whitelist unblock permit'

export const elasticActions = [
  {
    ...ALLOW_ADDRESS,
    label: 'Allow an IP address',
    verbs: LET_IN,
    words: 'allowlist ip rule network cidr elastic',
    screen: 'whitelistips',
    asks: {
      text: 'Which IP address or network?',
      example: '192.0.2.0/24',
      isUnmistakable: true,
      error: (address) => (parseNetwork(address) === undefined ? ADDRESS_NOT_VALID : undefined),
      opens: (subject) => ALLOW_ADDRESS.opens({ subject }),
    },
  },
  {
    ...ADD_USERNAME,
    label: 'Allow a username',
    verbs: LET_IN,
    words: 'user person elastic',
    screen: 'clscredentials',
    asks: {
      text: 'Which username?',
      example: 'jdoe',
      error: (name) => {
        const read = readUsernames([name])
        return 'error' in read ? read.error : undefined
      },
      opens: (subject) => ADD_USERNAME.opens({ subject }),
    },
  },
  {
    label: 'Change the PIN',
    words: 'password secret code reset new elastic',
    screen: 'clscredentials',
    right: 'credentials.write',
    asks: { to: '/clscredentials?focus=pin' },
  },
  {
    label: 'Add a limit',
    words: 'cap quota budget ceiling restrict refuse units user project product elastic raise',
    screen: 'limits',
    right: 'limits.write',
    asks: { to: '/limits?add=limit' },
  },
  {
    label: 'Allow or deny products of a user',
    words: 'product rule forbid block allow deny elastic limit',
    screen: 'limits',
    right: 'limits.write',
    asks: { to: '/limits?add=rule' },
  },
] as const satisfies readonly Action[]
