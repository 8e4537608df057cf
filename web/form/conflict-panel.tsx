import { Button, Group, Radio, Table } from '@mantine/core'
import { useId, useState } from 'react'
import type { Conflict } from '#web/form/use-form.ts'
import type { Side } from '#web/form/versions.ts'
import { SignalStrip } from '#web/ui/signal/signal-strip.tsx'
import classes from './conflict-panel.module.css'

const SIDES = ['theirs', 'yours'] as const

/** A save that came too late: nothing is lost, both versions are shown, and the person chooses line by line. */
export function ConflictPanel({ conflict: { message, differences, resolve } }: { conflict: Conflict }) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({})
  const group = useId()
  /** With one difference the two buttons say it all. */
  const hasChoices = differences.length > 1
  return (
    <SignalStrip ref={bringIntoView} signal="orange" role="alert">
      <p className={classes.message}>
        {message} Nothing was saved. Your changes are still here. Choose which version to keep.
      </p>
      <Table.ScrollContainer minWidth={420} className={classes.scroll}>
        <Table className={classes.versions} aria-label="Both versions">
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              <Table.Th>Saved by somebody else</Table.Th>
              <Table.Th>Yours</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map((difference) => (
              <Table.Tr key={difference.id}>
                <Table.Th scope="row">{difference.label}</Table.Th>
                {SIDES.map((side) => (
                  <Table.Td key={side}>
                    {hasChoices ? (
                      <Radio
                        size="xs"
                        name={`${group} ${difference.id}`}
                        label={difference[side] || EMPTY}
                        aria-label={`${difference.label}: ${SIDE_NAMES[side]}, ${difference[side]}`}
                        checked={(chosen[difference.id] ?? difference.suggested) === side}
                        onChange={() => setChosen((now) => ({ ...now, [difference.id]: side }))}
                      />
                    ) : (
                      difference[side] || EMPTY
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group gap="xs" mt="sm">
        {hasChoices && (
          <Button
            size="xs"
            onClick={() =>
              resolve((id) => chosen[id] ?? differences.find((one) => one.id === id)?.suggested ?? 'theirs')
            }
          >
            Combine both
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => resolve(() => 'theirs')}>
          Use theirs
        </Button>
        <Button size="xs" variant="default" onClick={() => resolve(() => 'yours')}>
          Keep mine
        </Button>
      </Group>
    </SignalStrip>
  )
}

const EMPTY = 'Empty'
const SIDE_NAMES: Record<Side, string> = { theirs: 'saved by somebody else', yours: 'yours' }

/** For `ref`: what has just appeared comes into sight, and glides there only if motion is welcome. */
function bringIntoView(element: HTMLElement | null): void {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'nearest', behavior: isCalm ? 'instant' : 'smooth' })
}
