import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { isSameHost } from '#domain/activations/hosts/host-duplicates.ts'
import { hostsAfterCancel, linkedHost, sortedHosts } from '#domain/activations/hosts/host-list.ts'
import type { ToActivate } from '#domain/activations/seats/activation-selection.ts'
import { currentSearch } from '#web/lib/address/replace-search.ts'
import { type ServerHost, serversQuery } from '#web/modules/activations/activations.api.ts'
import { seatsIn } from '#web/modules/activations/seats/product-picker.tsx'

/** The license server that the address names. */
const ID = 'id'
/** An entitlement that another screen sent here to be activated; there may be several. */
const ACTIVATE = 'activate'
/** A product that is to be activated, and how many seats of it; without a number, all. */
const [PRODUCT, SEATS] = ['product', 'seats']
/** What is to be done at once: `rehost` moves the selected server to another one, `confirm` asks about what is to be activated. */
const ACTION = 'action'

/** The servers of the account, including new ones, and the selected one. */
export function useHosts(customerNumber: string) {
  const { data: known, error, refetch } = useQuery(serversQuery(customerNumber))
  const [search, setSearch] = useSearchParams()
  const [drafts, setDrafts] = useState<readonly ServerHost[]>([])
  const [previous, setPrevious] = useState<ServerHost>()
  const wanted = search.get(ID) ?? undefined
  const toActivate = useMemo(() => readToActivate(search), [search])
  const hasToActivate = toActivate.activationIds.length > 0 || toActivate.product !== undefined

  const hosts = useMemo(() => {
    // A new host is known as soon as something was activated on it.
    const left = drafts.filter((draft) => !known?.some((one) => isSameHost(one, draft)))
    return sortedHosts([...(known ?? []), ...left])
  }, [known, drafts])
  const isLinkWithoutHost = wanted === undefined && hasToActivate
  // The portal's choice stays when somebody else uses another license server meanwhile.
  const [chosen, setChosen] = useState<string>()
  const selected = useMemo(
    () => (known ? linkedHost(hosts, { wanted: wanted ?? chosen, hasToActivate }) : undefined),
    [known, hosts, wanted, chosen, hasToActivate],
  )
  const choice = isLinkWithoutHost ? selected?.serverId : undefined
  if (choice !== chosen) setChosen(choice)

  const select = (host: ServerHost) =>
    setSearch(() => {
      const next = currentSearch()
      next.set(ID, host.serverId)
      return next
    })

  const forget = (names: readonly string[], kept?: ServerHost) =>
    setSearch(
      () => {
        const next = currentSearch()
        for (const name of names) next.delete(name)
        if (kept) next.set(ID, kept.serverId)
        return next
      },
      { replace: true },
    )

  return {
    hosts,
    selected,
    isLoading: known === undefined && !error,
    error,
    reload: refetch,
    /** The address names a server that this account does not have. */
    missing: known && !selected ? wanted : undefined,
    select,
    add(host: ServerHost) {
      setPrevious(selected)
      if (host.isNew) setDrafts((now) => [...now, host])
      select(host)
    },
    /** Removes a new host and selects the previous one. */
    drop(draft: ServerHost) {
      setDrafts((now) => now.filter((one) => one !== draft))
      forget(HOST_REQUEST, hostsAfterCancel(hosts, draft, previous).selected)
    },
    toActivate,
    hasToActivate,
    /** The portal has chosen the license server for them, because the link names none. */
    isChosenForLink: isLinkWithoutHost && selected !== undefined && hosts.length > 1,
    /** Nobody but a person can say on which license server to activate them. */
    isToChoose: selected === undefined && hosts.length > 0,
    /** The selected server stays selected. */
    forgetToActivate: () => forget(TO_ACTIVATE, selected),
    isRehost: search.get(ACTION) === 'rehost',
    isConfirm: search.get(ACTION) === 'confirm',
    forgetAction: () => forget([ACTION]),
  }
}

const TO_ACTIVATE = [ACTIVATE, PRODUCT, SEATS]
/** What the address asks for: a license server, and what to activate on it. */
export const HOST_REQUEST: readonly string[] = [ID, ...TO_ACTIVATE]

function readToActivate(search: URLSearchParams): ToActivate {
  const seats = seatsIn(search.get(SEATS) ?? '')
  return {
    activationIds: search.getAll(ACTIVATE),
    product: search.get(PRODUCT) ?? undefined,
    seats: seats || undefined,
  }
}
