import { Text, VisuallyHidden } from '@mantine/core'
import { changedLines } from '#domain/activations/license-files/license-difference.ts'
import classes from './options-files.module.css'

const MARKS = { added: '+', removed: '−' } as const
const NAMES = { added: 'Added: ', removed: 'Removed: ' } as const

/** The lines that only one of two texts has, each with its number there. */
export function TextDifference({ before, after }: { before: string; after: string }) {
  const lines = changedLines(before, after)
  if (lines.length === 0) return <Text c="dimmed">The two texts have the same lines.</Text>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className={classes.difference} tabIndex={0} aria-label="Changed lines">
      {lines.map(({ kind, line, text }) => (
        <div key={`${kind} ${line}`} data-kind={kind}>
          <span className={classes.number}>{line}</span>
          <span aria-hidden>{MARKS[kind]} </span>
          <VisuallyHidden>{NAMES[kind]}</VisuallyHidden>
          {text}
        </div>
      ))}
    </section>
  )
}
