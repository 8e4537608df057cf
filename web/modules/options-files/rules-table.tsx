import { ActionIcon, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { OptionsProblem } from '#domain/options-files/check-options.ts'
import type { OptionsPart } from '#domain/options-files/options-document.ts'
import { optionsWords } from '#domain/options-files/options-words.ts'
import { isEditable } from '#web/modules/options-files/rule-fields.ts'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import classes from './options-files.module.css'

/** More rows make the page slow to type in; the text has them all. */
const MAX_ROWS = 300

type Props = {
  parts: readonly OptionsPart[]
  problems: readonly OptionsProblem[]
  isLocked: boolean
  onEdit(part: OptionsPart): void
  onRemove(part: OptionsPart): void
}

/** What each statement of the file does, in words. */
export function RulesTable({ parts, problems, isLocked, onEdit, onRemove }: Props) {
  const rules = parts.filter(({ statement }) => statement !== null)
  if (rules.length === 0)
    return (
      <Text c="dimmed">
        No rules: everybody may use every seat. Add a group and a rule, or paste the options file that you have.
      </Text>
    )
  const byLine = Map.groupBy(problems, ({ line }) => line)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable with the keyboard
    <section className={classes.scroll} tabIndex={0} aria-label="Rules in words">
      <table className={classes.rules} aria-label="Rules">
        <thead>
          <tr>
            <th scope="col" data-figure>
              Line
            </th>
            <th scope="col">Rule</th>
            <th scope="col">
              <span className={classes.hidden}>Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.slice(0, MAX_ROWS).map((part) => (
            <tr key={part.line}>
              <td data-figure>{part.line}</td>
              <td>
                <Words part={part} />
                {byLine.get(part.line)?.map(({ severity, text }) => (
                  <div key={text} className={classes.note}>
                    <SignalDot signal={severity === 'error' ? 'red' : 'orange'}>{text}</SignalDot>
                  </div>
                ))}
              </td>
              <td className={classes.buttons}>
                {!isLocked && (
                  <>
                    {isEditable(part) && (
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`Edit line ${part.line}`}
                        onClick={() => onEdit(part)}
                      >
                        <IconPencil size={16} aria-hidden />
                      </ActionIcon>
                    )}
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove line ${part.line}`}
                      onClick={() => onRemove(part)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rules.length > MAX_ROWS && <Text c="dimmed">The other {rules.length - MAX_ROWS} rules are in the text.</Text>}
    </section>
  )
}

function Words({ part: { statement } }: { part: OptionsPart }) {
  return statement && optionsWords(statement)
}
