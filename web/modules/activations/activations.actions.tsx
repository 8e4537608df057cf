import { IconEye, IconPower, IconRefresh, IconServerBolt, IconServerOff, IconTrash } from '@tabler/icons-react'
import { lazy } from 'react'
import { type HostIdentity, hostIdLabel, licenseServerPath, optionsFilesPath } from '#domain/activations/hosts/host.ts'
import { readHostId } from '#domain/activations/hosts/host-id.ts'
import type { Soon } from '#domain/entitlements/term.ts'
import { searchedText } from '#domain/search/searched-text.ts'
import { hasWords } from '#domain/search/word-rank.ts'
import { type Action, type Answer, type DialogOn, type ListQuestion, MAX_ANSWERS, type Opens } from '#web/lib/action.ts'
import { countOf } from '#web/lib/format.ts'
import { type ServerHost, serversQuery } from '#web/modules/activations/activations.api.ts'
import type { HostActionName, HostDialog } from '#web/modules/activations/history/host-dialogs.tsx'
import { nameOf, RENEW } from '#web/modules/activations/plans/plan-names.ts'

/** Only who does something with a license server needs its code. */
export const HostDialogs = lazy(async () => ({
  default: (await import('#web/modules/activations/history/host-dialogs.tsx')).HostDialogs,
}))

const right = 'activations.write'
const opening = (dialog: HostDialog) => ({
  dialog: (onClose: () => void) => <HostDialogs dialog={dialog} onClose={onClose} />,
})
const onHost = (kind: HostActionName) => ({ right, opens: (host: HostIdentity) => opening({ kind, host }) }) as const

/** What can be done with a license server. */
export const HOST_ACTIONS = {
  view: { ...onHost('view'), button: 'View current activations', icon: IconEye, right: 'activations.read' },
  rehost: { ...onHost('rehost'), button: 'Rehost to another license server', icon: IconServerBolt },
  renew: { ...onHost('renew'), button: RENEW, icon: IconRefresh },
  deactivate: { ...onHost('deactivate'), button: 'Deactivate', icon: IconPower },
  'force return': {
    ...onHost('force return'),
    button: 'Forced return from a lost license server',
    icon: IconServerOff,
    right: 'activations.force-return',
    isHiddenWithoutRight: true,
  },
  delete: { ...onHost('delete'), button: 'Delete', icon: IconTrash },
} as const satisfies Record<HostActionName, DialogOn<HostIdentity>>

/** Leaves out what ends later, unless it is ticked. */
export const RENEW_ALL = {
  right,
  button: RENEW,
  icon: IconRefresh,
  opens: (soon) => opening({ kind: 'renew', host: undefined, soon }),
} as const satisfies DialogOn<Soon | undefined>

export const REGENERATE_ALL = {
  right,
  button: 'Regenerate all',
  opens: () => opening({ kind: 'regenerate', host: undefined }),
} as const satisfies DialogOn<undefined>

const HOST = 'license server host machine'
const { renew, rehost, deactivate } = HOST_ACTIONS

export const activationsActions = [
  {
    ...renew,
    label: 'Renew licenses',
    verbs: 'renew extend prolong',
    words: `renewal replace expire ${HOST}`,
    screen: 'activations-history',
    asks: askHost('Renew on which license server?', renew.opens, {
      other: { label: 'All license servers', opens: RENEW_ALL.opens(undefined) },
    }),
  },
  {
    ...rehost,
    label: 'Rehost a license server',
    verbs: 'rehost move transfer migrate',
    words: `replace ${HOST}`,
    screen: 'activations-history',
    asks: askHost('Rehost which license server?', rehost.opens),
  },
  {
    label: 'Activate products',
    verbs: 'activate assign install',
    words: `seats add new ${HOST}`,
    screen: 'activations',
    right,
    asks: {
      ...askHost('Activate on which license server?', ({ serverId: id }) => activate({ id }), {
        isInactiveToo: true,
        other: { label: 'New license server', opens: activate({ add: 'server' }) },
      }),
      products: (_, { name, seats, found }) =>
        found
          .filter((product) => hasWords(product, name))
          .map((product) => ({
            key: `product ${product}`,
            label: seats ? `${countOf(seats, 'seat')} of ${product}` : product,
            detail: '',
            opens: activate({ product, ...(seats && { seats: String(seats) }) }),
          })),
    },
  },
  {
    ...deactivate,
    label: 'Deactivate a license server',
    verbs: 'deactivate return release retire',
    words: `seats ${HOST}`,
    screen: 'activations-history',
    asks: askHost('Deactivate which license server?', deactivate.opens),
  },
  {
    label: 'Reserve seats for a group',
    verbs: 'reserve options',
    words: 'options file rules include exclude max timeout flexnet reservation calendar team',
    screen: 'activations-history',
    right,
    asks: askHost('Reserve seats on which license server?', ({ serverId }) => ({ to: optionsFilesPath(serverId) })),
  },
] as const satisfies readonly Action[]

function activate(search: Record<string, string>): Opens {
  return { to: `/activations?${new URLSearchParams(search)}` }
}

type HostChoice = {
  readonly isInactiveToo?: true
  /** Offered before the single license servers. */
  readonly other?: Pick<Answer, 'label' | 'opens'>
}

/** The license servers are found by a part of their name or by their id in any notation. The one that is open comes first. */
function askHost(
  text: string,
  opens: (host: HostIdentity) => Opens,
  { isInactiveToo, other }: HostChoice = {},
): ListQuestion<readonly ServerHost[]> {
  return {
    text,
    what: 'license server',
    noAnswer: 'No license server of this account holds seats.',
    hint: 'Type a name or a host ID.',
    query: serversQuery,
    answers(hosts, typed, { pathname }) {
      const { id } = readHostId(searchedText(typed))
      const isOpen = ({ serverId }: ServerHost) => Number(licenseServerPath(serverId) === pathname)
      const found = hosts
        .filter(({ state }) => isInactiveToo || state === 'Active')
        .filter(({ serverName, serverId }) => hasWords(`${serverName} ${serverId}`, typed) || serverId.includes(id))
        .toSorted((one, another) => isOpen(another) - isOpen(one))
        .slice(0, MAX_ANSWERS)
        .map((host) => ({
          key: host.serverId,
          label: nameOf(host),
          detail: hostIdLabel(host).replaceAll(',', ', '),
          opens: opens(host),
        }))
      return other && hasWords(other.label, typed) ? [{ ...other, key: 'other', detail: '' }, ...found] : found
    },
  }
}
