import { VisuallyHidden } from '@mantine/core'
import type { DifferenceEntry } from '#domain/activations/license-files/license-difference.ts'
import classes from '#web/modules/activations/plans/confirm-changes.module.css'

/** How many unchanged lines to show around a change. */
const CONTEXT = 2

type Line = { readonly kind: DifferenceEntry['kind'] | 'gap'; readonly text: string }

const MARKS = { added: '+', removed: '−', unchanged: ' ', gap: ' ' } as const
const NAMES = { added: 'Added: ', removed: 'Removed: ', unchanged: '', gap: '' } as const

type Props = {
  entries: readonly DifferenceEntry[]
  isWhole: boolean
  /** A label, where a screen shows several files. */
  label?: string
}

/** A license file line by line, with what is added and removed. */
export function LicenseLines({ entries, isWhole, label = 'Lines of the license file' }: Props) {
  const lines = entries.flatMap(({ kind, lines }) => lines.map((text): Line => ({ kind, text })))
  const shown = isWhole ? lines : withoutLongRuns(lines)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className={classes.lines} tabIndex={0} aria-label={label}>
      {shown.map(({ kind, text }, index) => (
        <div key={index} data-kind={kind}>
          <span className={classes.mark} aria-hidden>
            {MARKS[kind]}
          </span>
          {NAMES[kind] && <VisuallyHidden>{NAMES[kind]}</VisuallyHidden>}
          {text}
        </div>
      ))}
      {shown.length === 0 && <div>The file has no lines.</div>}
    </section>
  )
}

function withoutLongRuns(lines: readonly Line[]): Line[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== 'unchanged')
  const shown: Line[] = []
  let hidden = 0
  const closeGap = () => {
    if (hidden > 0) shown.push({ kind: 'gap', text: `… ${hidden} unchanged ${hidden === 1 ? 'line' : 'lines'}` })
    hidden = 0
  }
  for (const [index, line] of lines.entries()) {
    if (isNear(index)) {
      closeGap()
      shown.push(line)
    } else hidden += 1
  }
  closeGap()
  return shown
}
