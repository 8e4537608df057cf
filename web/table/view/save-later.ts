import { savePreferences, type TablePreference } from '#contract/settings/preferences.ts'
import { ask } from '#web/lib/api-client.ts'
import { failureText } from '#web/lib/api-failure.ts'

const DELAY = 2000

const unsaved = new Map<string, TablePreference>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Saves a view two seconds after its last change (debounced). */
export function saveLater(preference: TablePreference): void {
  if (unsaved.size === 0) addEventListener('pagehide', saveNow)
  unsaved.set(`${preference.customerNumber} ${preference.tableName}`, preference)
  clearTimeout(timer)
  timer = setTimeout(saveNow, DELAY)
}

/** At the latest when the table unmounts. If a view cannot be saved, only the log says so. */
export function saveNow(): void {
  clearTimeout(timer)
  removeEventListener('pagehide', saveNow)
  if (unsaved.size === 0) return
  const tables = [...unsaved.values()]
  unsaved.clear()
  ask(savePreferences, { body: { tables }, keepalive: true }).catch((error: unknown) => {
    console.warn(`A table view was not saved: ${failureText(error)}`)
  })
}
