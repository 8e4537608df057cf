import { Group, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { SignalStrip } from '#web/ui/signal/signal-strip.tsx'
import classes from './both-versions.module.css'

/** One thing that is not the same in what somebody else has saved and in what is on the screen. */
export type Difference = { what: string; theirs: string; yours: string }

type Props = {
  /** What was changed meanwhile, as the server tells it. */
  message: string
  differences: readonly Difference[]
  /** The ways out: buttons that take one version, the other, or both. */
  actions: ReactNode
}

/** A save that came too late: nothing is lost, both versions are shown, and the person decides. */
export function BothVersions({ message, differences, actions }: Props) {
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
            {differences.map(({ what, theirs, yours }) => (
              <Table.Tr key={what}>
                <Table.Th scope="row">{what}</Table.Th>
                <Table.Td>{theirs}</Table.Td>
                <Table.Td>{yours}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group gap="xs" mt="sm">
        {actions}
      </Group>
    </SignalStrip>
  )
}

/** For `ref`: what has just appeared comes into sight, and glides there only if motion is welcome. */
function bringIntoView(element: HTMLElement | null): void {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'nearest', behavior: isCalm ? 'instant' : 'smooth' })
}
