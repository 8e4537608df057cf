import { countOf, countText } from '#web/lib/format.ts'

/** Success text of a batch: the server may have left out users that somebody else had changed before. */
export function changedText(lines: readonly { readonly changed: boolean }[], all: string, done: string): string {
  const changed = lines.filter((line) => line.changed).length
  if (changed === lines.length) return all
  const were = changed === 1 ? 'was' : 'were'
  return `${countText(changed)} of ${countOf(lines.length, 'user')} ${were} ${done}. Somebody else had ${done} the others before.`
}
