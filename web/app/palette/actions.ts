import type { ScreenPath } from '#web/app/screens/screens.ts'
import type { Action } from '#web/lib/action.ts'
import { activationsActions } from '#web/modules/activations/activations.actions.tsx'
import { elasticActions } from '#web/modules/elastic/elastic.actions.tsx'
import { fsaActions } from '#web/modules/fsa/fsa.actions.ts'
import { licenseUseActions } from '#web/modules/license-use/license-use.actions.ts'
import { remindersActions } from '#web/modules/reminders/reminders.actions.ts'
import { settingsActions } from '#web/modules/settings/settings.actions.tsx'

export type PaletteAction = Action & { readonly screen: ScreenPath }

/** The actions of all modules. Without a text, the palette lists them in this order. */
export const ACTIONS: readonly PaletteAction[] = [
  ...activationsActions,
  ...fsaActions,
  ...settingsActions,
  ...elasticActions,
  ...licenseUseActions,
  ...remindersActions,
]
