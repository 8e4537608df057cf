import { IconServerOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { leavingWarning, unmanagedWarning } from '#domain/activations/hosts/shared-server.ts'
import { savedQuantityError } from '#domain/activations/seats/activated-quantity.ts'
import {
  type CustomerActivations,
  linkedRows,
  type ToActivate,
} from '#domain/activations/seats/activation-selection.ts'
import { LOADING_HISTORY, NO_SERVER_FOUND } from '#domain/activations/seats/activation-texts.ts'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import { hasPendingChanges } from '#domain/activations/seats/selection-texts.ts'
import { useAddressRequest } from '#web/lib/address/use-address-request.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { leaveSafely, useUnsavedChanges } from '#web/lib/kept/unsaved-changes.ts'
import { type ActivationDialog, ActivationDialogs } from '#web/modules/activations/activation-dialogs.tsx'
import { reloadActivations, type ServerHost, writableAccountsQuery } from '#web/modules/activations/activations.api.ts'
import { ServerBar } from '#web/modules/activations/hosts/server-bar.tsx'
import { HOST_REQUEST, useHosts } from '#web/modules/activations/hosts/use-hosts.ts'
import { HostPlans } from '#web/modules/activations/plans/host-plans.tsx'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'
import { SaveButtons } from '#web/modules/activations/plans/save-buttons.tsx'
import { createSaveJob, type SaveButtonKind } from '#web/modules/activations/plans/save-job.ts'
import { SaveOutcome } from '#web/modules/activations/plans/save-outcome.tsx'
import { useSaveFlow } from '#web/modules/activations/plans/use-save-flow.ts'
import { ActivationMessages } from '#web/modules/activations/seats/activation-messages.tsx'
import { CustomerTabs } from '#web/modules/activations/seats/customer-tabs.tsx'
import { linkedText } from '#web/modules/activations/seats/seat-texts.ts'
import { type OpenTab, useCustomerTabs } from '#web/modules/activations/seats/use-customer-tabs.ts'
import { notice } from '#web/ui/dialogs/notice.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './activations.module.css'

/** Only for license servers that several accounts may share. */
const AssociatedCustomers = lazy(async () => ({
  default: (await import('#web/modules/activations/seats/associated-customers.tsx')).AssociatedCustomers,
}))

/** Which products run on a license server, and its license file. */
export function Page() {
  const { number, name } = useKnownCustomer()
  const queries = useQueryClient()
  const isViewOnly = !useCan('activations.write')
  const hosts = useHosts(number)
  const host = hosts.selected
  const tabs = useCustomerTabs({ number, name }, host, hosts.toActivate)
  const saving = useSaveFlow(number)
  const { data: writable = [] } = useQuery(writableAccountsQuery(number))
  const [active, setActive] = useState(number)
  const [dialog, setDialog] = useState<ActivationDialog | undefined>(
    hosts.isRehost && !isViewOnly ? { kind: 'rehost' } : undefined,
  )
  const [problem, setProblem] = useState<string>()
  useAddressRequest('add', () => !isViewOnly && leaveSafely(() => setDialog({ kind: 'add host' })))

  const licensed = tabs.tabs.filter(isLicensed).map(({ activations }) => activations)
  const isPending = hasPendingChanges(licensed)
  useUnsavedChanges(isPending && tabs.isTouched && !saving.isRunning, { parameters: HOST_REQUEST })
  const readOnly = isViewOnly ? NOT_ENOUGH_PERMISSIONS : undefined
  const locked = readOnly ?? (saving.isRunning ? 'The changes are being saved.' : undefined)
  const notReady = (): string | undefined => {
    if (locked) return locked
    if (tabs.error || saving.state.kind === 'failed') return 'Clear the error first.'
    if (tabs.isLoading) return 'The license server is still loading.'
    return host?.isNew && !isPending ? 'Add a product first.' : undefined
  }
  const warning = [unmanagedWarning(tabs.members), leavingWarning(tabs.leaving)].filter(Boolean).join(' ') || undefined
  const hasChanges = isPending || tabs.isChanged || host?.isNew === true
  const canShare = writable.length > 1 || tabs.tabs.length > 1

  useLinkedAction(hosts.isRehost, () => {
    // A reload must not open the dialog again.
    hosts.forgetAction()
    if (isViewOnly) notice(undefined, `Customer ${number}`)
  })
  useLinkedAction(hosts.isConfirm && host !== undefined && !tabs.isLoading, () => {
    hosts.forgetAction()
    if (notReady() === undefined && isPending) setDialog({ kind: 'confirm', button: 'generate' })
  })
  const jobOf = (button: SaveButtonKind, of: ServerHost) => (changes: readonly SeatChange[]) =>
    createSaveJob({
      button,
      host: of,
      customers: licensed,
      changes,
      bases: tabs.bases,
      isBorrowable: tabs.newBorrowable,
    })
  const save = (button: SaveButtonKind) => {
    const wrong = quantityProblem(licensed)
    setProblem(wrong)
    if (wrong || !host) return
    if (isPending) setDialog({ kind: 'confirm', button })
    else saving.start(jobOf(button, host)([]))
  }
  const forgetToActivate = () => {
    if (hosts.hasToActivate) hosts.forgetToActivate()
  }
  const cancel = () => {
    setProblem(undefined)
    tabs.reset()
    if (host?.isNew) hosts.drop(host)
    else forgetToActivate()
  }
  const close = () => setDialog(undefined)
  const added =
    host &&
    linkedText({
      rows: licensed[0] ? linkedRows(licensed[0], hosts.toActivate) : [],
      hostName: nameOf(host),
      isHostChosen: hosts.isChosenForLink,
    })

  return (
    <>
      <PageHead
        isSticky
        actions={
          host && (
            <SaveButtons
              licensed={licensed}
              notCancelable={locked ?? (hasChanges ? undefined : 'Nothing has changed.')}
              notReady={notReady()}
              onCancel={cancel}
              onSave={save}
            />
          )
        }
      />
      <HostPlans except={saving.planId} reloadsAtEnd={!tabs.isTouched} />
      <ActivationMessages
        saving={saving}
        loadError={hosts.error ?? tabs.error}
        onReload={() => void reloadActivations(queries)}
        problem={problem}
        onProblemSeen={() => setProblem(undefined)}
        missingServer={hosts.missing}
        isNothingToActivate={
          saving.state.kind === 'idle' && hosts.hasToActivate && hasNoSeats(licensed[0], hosts.toActivate)
        }
        warning={warning}
      />
      <ServerBar
        hosts={hosts.hosts}
        selected={host}
        toChoose={hosts.isToChoose ? (hosts.hasToActivate ? CHOOSE_SERVER : 'Choose a license server.') : undefined}
        onSelect={(next) =>
          leaveSafely(() => {
            close()
            tabs.reset()
            setProblem(undefined)
            setActive(number)
            hosts.select(next)
          })
        }
        isBorrowable={tabs.isBorrowable}
        onBorrowable={tabs.setBorrowable}
        onAdd={() => leaveSafely(() => setDialog({ kind: 'add host' }))}
        onFiles={() => setDialog({ kind: 'files' })}
        isLocked={saving.isRunning || hosts.isLoading}
        readOnly={readOnly}
      >
        {canShare && host && (
          <Suspense fallback={<div className={classes.choosing} />}>
            <AssociatedCustomers
              open={tabs.tabs.map(({ customerNumber }) => customerNumber)}
              reason={locked}
              onChoose={(account) => {
                tabs.open(account)
                setActive(account.number)
              }}
            />
          </Suspense>
        )}
      </ServerBar>
      {hosts.isLoading ? (
        <Spinner text={LOADING_HISTORY} />
      ) : host ? (
        <CustomerTabs
          tabs={tabs.tabs}
          active={active}
          onActive={setActive}
          onClose={tabs.close}
          onEdit={tabs.edit}
          hasTabs={canShare}
          added={added}
          isProductNext={host.isNew}
          locked={locked}
        />
      ) : (
        !hosts.error &&
        !hosts.isToChoose && (
          <EmptyState icon={IconServerOff} title={NO_SERVER_FOUND}>
            Add a license server to activate products on it.
          </EmptyState>
        )
      )}
      <ActivationDialogs
        dialog={dialog}
        known={hosts.hosts}
        host={host}
        licensed={licensed}
        warning={warning}
        added={hosts.isChosenForLink ? added : undefined}
        jobOf={jobOf}
        onAdd={(host) => {
          tabs.reset()
          hosts.add(host)
        }}
        onConfirm={(job) => {
          close()
          saving.start(job)
        }}
        onClose={close}
      />
      <SaveOutcome saving={saving} onReset={tabs.reset} onDone={forgetToActivate} />
    </>
  )
}

/** Does what the address asks for, as soon as it can be done. */
function useLinkedAction(isReady: boolean, act: () => void) {
  const run = useEffectEvent(act)
  useEffect(() => {
    if (isReady) run()
  }, [isReady])
}

const CHOOSE_SERVER = 'Choose the license server to activate the products on.'

const isLicensed = (tab: OpenTab): tab is OpenTab & { activations: CustomerActivations } =>
  tab.isApproved && tab.activations !== undefined

/** Nothing that another screen sent here can be activated: all its seats are in use, or it has ended. */
const hasNoSeats = (tab: CustomerActivations | undefined, toActivate: ToActivate): boolean =>
  tab !== undefined && linkedRows(tab, toActivate).length === 0

/** The first quantity that cannot be saved, with the product that it belongs to. */
function quantityProblem(tabs: readonly CustomerActivations[]): string | undefined {
  for (const { available } of tabs)
    for (const { selected, AnsysActivated, ansysavailable, ansysproduct, activationid } of available) {
      const error = selected ? savedQuantityError(AnsysActivated, ansysavailable) : undefined
      if (error) return `${error} (${ansysproduct}, ${activationid})`
    }
  return undefined
}
