import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { openTabs } from '#domain/activations/hosts/shared-server.ts'
import { addLinked, type CustomerActivations, type ToActivate } from '#domain/activations/seats/activation-selection.ts'
import { useRequestKey } from '#web/lib/address/use-address-request.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import {
  type Account,
  type CustomerTab,
  type Member,
  membersQuery,
  type ServerHost,
  tabQuery,
} from '#web/modules/activations/activations.api.ts'
import { HOST_REQUEST } from '#web/modules/activations/hosts/use-hosts.ts'

export type OpenTab = {
  readonly customerNumber: string
  readonly hasFailed: boolean
  /** Undefined until its rows are loaded. */
  readonly activations: CustomerActivations | undefined
  readonly basis: string | undefined
  readonly isApproved: boolean
}

/** Edits on one host, since the address asked for it. Reloading the rows of a customer drops its edits. */
type Work = {
  readonly request: string
  readonly serverId: string | undefined
  readonly edits: Readonly<Record<string, { readonly base: CustomerTab; readonly edited: CustomerActivations }>>
  readonly added: readonly Account[]
  readonly closed: readonly string[]
  readonly isBorrowable: boolean | undefined
}

const untouched = (request: string, serverId: string | undefined): Work => ({
  request,
  serverId,
  edits: {},
  added: [],
  closed: [],
  isBorrowable: undefined,
})
const NO_MEMBERS: readonly Member[] = []

/** One tab per customer on the host: the selected one, those that share the host, and those that were added here. */
export function useCustomerTabs(customer: Account, host: ServerHost | undefined, toActivate: ToActivate) {
  const { today } = useKnownCustomer().info
  const blank = untouched(useRequestKey(HOST_REQUEST), host?.serverId)
  const [kept, setKept] = useState(blank)
  const work = kept.serverId === blank.serverId && kept.request === blank.request ? kept : blank
  const change = (next: Partial<Work>) => setKept({ ...work, ...next })

  const { data: members = NO_MEMBERS, error: membersError } = useQuery(membersQuery(customer.number, host))
  const sharing = members.filter(({ isManaged, customerNumber }) => isManaged && customerNumber !== customer.number)
  const addedNumbers = work.added.map(({ number }) => number)
  const others = [...new Set([...sharing.map((member) => member.customerNumber), ...addedNumbers])]
  const numbers = [customer.number, ...others.filter((number) => !work.closed.includes(number))]
  const answers = useQueries({ queries: numbers.map((number) => tabQuery(number, host)) })

  const ownBase = answers[0]?.data
  const ownStart = useMemo(
    () => ownBase && addLinked(ownBase.activations, toActivate, today),
    [ownBase, toActivate, today],
  )
  const loaded = numbers.map((customerNumber, index) => {
    const base = answers[index]?.data
    const edit = work.edits[customerNumber]
    const start = index === 0 ? ownStart : base?.activations
    return {
      customerNumber,
      base,
      activations: base && edit?.base === base ? edit.edited : start,
      basis: base?.basis,
      isApproved: base?.isApproved ?? true,
      hasFailed: answers[index]?.isError ?? false,
    }
  })
  // Tabs without activations are closed, but for those that somebody has just opened.
  const open = openTabs(
    loaded.map((tab) => ({ ...tab, assigned: keepsOpen(tab, addedNumbers) ? [tab] : [] })),
    customer.number,
  )

  const isLoading = answers.some(({ data, error }) => data === undefined && !error)
  return {
    tabs: open as readonly OpenTab[],
    members,
    isLoading,
    error: answers.find(({ error }) => error)?.error ?? membersError ?? undefined,
    /** There are edits, apart from an entitlement that another screen added. */
    isTouched: Object.keys(work.edits).length > 0,
    /** There is something to cancel: an edit, or a tab that was opened or closed. */
    isChanged: Object.keys(work.edits).length + work.added.length + work.closed.length > 0,
    /** Customers that share the host now and whose tab was closed. */
    leaving: sharing.map((member) => member.customerNumber).filter((number) => work.closed.includes(number)),
    isBorrowable: work.isBorrowable ?? host?.isBorrowable ?? false,
    bases: Object.fromEntries(
      open.flatMap((tab) => (tab.basis === undefined ? [] : [[tab.customerNumber, tab.basis]])),
    ),
    /** What the person has set, if anything. */
    newBorrowable: work.isBorrowable,
    setBorrowable: (isBorrowable: boolean) => change({ isBorrowable }),
    edit(customerNumber: string, update: (tab: CustomerActivations) => CustomerActivations) {
      const tab = loaded.find((one) => one.customerNumber === customerNumber)
      if (!tab?.base || !tab.activations) return
      const edited = { base: tab.base, edited: update(tab.activations) }
      change({ edits: { ...work.edits, [customerNumber]: edited } })
    },
    open: (account: Account) =>
      change({
        added: [...work.added.filter(({ number }) => number !== account.number), account],
        closed: work.closed.filter((number) => number !== account.number),
      }),
    close: (number: string) => {
      const { [number]: _, ...edits } = work.edits
      change({ edits, closed: [...work.closed, number], added: work.added.filter((one) => one.number !== number) })
    },
    /** Drops all edits on this host. */
    reset: () => setKept({ ...blank, isBorrowable: work.isBorrowable }),
  }
}

type LoadedTab = { customerNumber: string; activations: CustomerActivations | undefined; isApproved: boolean }

function keepsOpen({ customerNumber, activations, isApproved }: LoadedTab, added: readonly string[]): boolean {
  if (added.includes(customerNumber) || !isApproved) return true
  return activations === undefined || activations.assigned.length > 0
}
