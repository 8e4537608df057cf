import type { TableName } from '#contract/settings/table-names.ts'

const keyOf = (tableName: TableName) => `table-pins-${tableName}`

/** Which columns are pinned on this table; undefined where nothing was changed. */
export function readPins(tableName: TableName): readonly string[] | undefined {
  const text = localStorage.getItem(keyOf(tableName))
  return text === null ? undefined : text.split(',').filter((id) => id !== '')
}

export function savePins(tableName: TableName, pinned: readonly string[], initial: readonly string[]): void {
  if (pinned.join() === initial.join()) localStorage.removeItem(keyOf(tableName))
  else localStorage.setItem(keyOf(tableName), pinned.join())
}
