import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSave } from '#web/form/use-save.ts'
import type { ActionOn, CallOn, OpensDialog } from '#web/lib/action.ts'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'

type Sent = { action: CallOn<unknown>; thing: unknown }

export type Actions = {
  run<Thing>(action: ActionOn<Thing>, thing: Thing): void
  readonly isSaving: boolean
  /** Rendered beside the buttons: a menu closes before its dialog opens. */
  readonly dialog: ReactNode
}

/** Does what the buttons and menus of a table or page offer. */
export function useActions(): Actions {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<OpensDialog>()
  const screen = {
    customerNumber: number,
    queries,
    goTo: (address: string) => navigate(withCustomer(address, number)),
  }
  const { save, isSaving } = useSave({
    send: async ({ action, thing }: Sent, key) => ({
      answer: await action.send(thing, number, key),
      text: action.success?.(thing),
    }),
    success: ({ text }) => text,
    notDone: ({ action }) => action.notDone,
    onSaved: async ({ answer }, { action, thing }) => {
      if (action.shows) setOpened(action.shows(answer, thing))
      await action.onSaved(screen, answer, thing)
    },
    onFailed: (error, { action, thing }) => {
      action.onFailed?.(screen, error, thing)
      return false
    },
  })
  const send = async (sent: Sent) => {
    const { confirm: asked } = sent.action
    if (asked === undefined || (await confirm(asked.question(sent.thing), asked.act))) save(sent)
  }
  const close = () => {
    setOpened(undefined)
    // Home lists what is left to do.
    void queries.invalidateQueries({ queryKey: ['home'] })
  }
  return {
    run: (action, thing) => ('opens' in action ? setOpened(action.opens(thing)) : void send({ action, thing })),
    isSaving,
    dialog: opened && <Suspense>{opened.dialog(close)}</Suspense>,
  }
}
