import type { Icon } from '@tabler/icons-react'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccountAction } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

/** A dialog that confirms. */
export type OpensDialog = { dialog(onClose: () => void): ReactNode }
/** A dialog, or a screen with something filled in. */
export type Opens = { readonly to: string } | OpensDialog

type Offer<Thing> = {
  readonly button: string
  readonly icon?: Icon
  /** Disabled without this right. */
  readonly right: AccountAction
  readonly isHiddenWithoutRight?: true
  readonly isDangerous?: true
  /** Not offered for other things. */
  applies?(thing: Thing): boolean
  /** Why it cannot be done with this thing at present. */
  reason?(thing: Thing): string | undefined
}

/** Opens a dialog about one thing. */
export type DialogOn<Thing> = Offer<Thing> & { opens(thing: Thing): OpensDialog }

/** Sends one call about one thing. */
export type CallOn<Thing, Answer = unknown> = Offer<Thing> & {
  /** Asked first; the button of the answer names the act. */
  readonly confirm?: { readonly act: string; question(thing: Thing): string }
  send(thing: Thing, customerNumber: string, idempotencyKey: string): Promise<Answer>
  /** None where `shows` says it. */
  success?(thing: Thing): string
  /** What did not happen, for the error panel. */
  readonly notDone?: string
  onSaved(screen: ActionScreen, answer: Answer, thing: Thing): void | Promise<void>
  onFailed?(screen: ActionScreen, error: Error, thing: Thing): void
  /** The dialog that shows the answer. */
  shows?(answer: Answer, thing: Thing): OpensDialog
}

/** What people do with one thing, where they see it: a menu item of a license server, a button of a denied address. */
export type ActionOn<Thing> = DialogOn<Thing> | CallOn<Thing>

/** Where an action was chosen. */
export type ActionScreen = {
  readonly customerNumber: string
  readonly queries: QueryClient
  goTo(address: string): void | Promise<void>
}

/** What people find in the palette, which asks for what is missing. */
export type Action = {
  readonly label: string
  /** With one of these a line begins that has an answer as well: "rehost lic-01". None without a question. */
  readonly verbs?: string
  /** Other words for it. */
  readonly words: string
  /** The path of a screen: whoever has it in the menu is offered the action. */
  readonly screen: string
  /** Disabled without this right. */
  readonly right: AccountAction
  readonly asks: TextQuestion | ListQuestion | Opens
}

/** Answered by the typed text itself. */
export type TextQuestion = {
  readonly text: string
  readonly example: string
  /** Nothing else looks like it, so the palette offers the action for it right away. */
  readonly isUnmistakable?: true
  /** The check of the form or dialog that follows. */
  error(typed: string): string | undefined
  opens(typed: string): Opens
}

/** Answered by something of the account, which is found by a part of its name. */
export type ListQuestion<Loaded = unknown> = {
  readonly text: string
  readonly what: string
  readonly noAnswer: string
  readonly hint: string
  /** A single answer is taken without asking. */
  readonly skipsSingle?: true
  query(customerNumber: string): { readonly queryKey: QueryKey }
  answers(loaded: Loaded, typed: string, asker: Asker): readonly Answer[]
  /** Answers of another kind, where a line names them: "5 Acoustics Response". */
  products?(loaded: Loaded, wanted: WantedProduct, asker: Asker): readonly Answer[]
}

export type Answer = {
  readonly key: string
  readonly label: string
  readonly detail: string
  /** Why this person cannot choose it. */
  readonly reason?: string
  readonly opens: Opens
}

export type WantedProduct = {
  readonly name: string
  readonly seats: number | undefined
  /** The leased and perpetual products of the account that the server has found. */
  readonly found: readonly string[]
}

export type Asker = {
  readonly actor: Actor
  readonly standing: Standing
  /** The day of the account. */
  readonly today: CalendarDay
  /** The screen that is open. */
  readonly pathname: string
}

/** Enough to choose from; who has more types a part of the name. */
export const MAX_ANSWERS = 50
