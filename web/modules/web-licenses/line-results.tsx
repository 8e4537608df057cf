import { Button, Group, Text } from '@mantine/core'
import { countText } from '#web/lib/format.ts'
import { openDialog } from '#web/ui/dialogs/open-dialog.tsx'

type Line = {
  readonly status: 'SUCCESS' | 'FAILURE'
  readonly code?: string | undefined
  readonly err?: string | undefined
}

/** Maximum number of listed refusals; the rest are counted. */
const SHOWN = 50

export const hasRefused = (lines: readonly Line[]) => lines.some(({ status }) => status === 'FAILURE')

/** Whether the identity provider manages some of them, which the person should know. */
export const hasManaged = (lines: readonly Line[]) => lines.some(({ code }) => code === 'MANAGED_BY_SCIM')

/** Names the refused lines of a call and says how many were done. */
export function showRefusedLines<L extends Line>(lines: readonly L[], nameOf: (line: L) => string): void {
  const refused = lines.filter(({ status }) => status === 'FAILURE')
  openDialog(
    { title: `${countText(lines.length - refused.length)} of ${countText(lines.length)} done`, size: 640 },
    (close) => (
      <>
        <Text mb="xs">{refused.length === 1 ? 'This one was refused:' : 'These were refused:'}</Text>
        <ul>
          {refused.slice(0, SHOWN).map((line) => (
            <li key={nameOf(line)}>
              <strong>{nameOf(line)}</strong>: {line.err}
            </li>
          ))}
        </ul>
        {refused.length > SHOWN && <Text size="sm">and {countText(refused.length - SHOWN)} more.</Text>}
        <Group justify="flex-end" mt="lg">
          <Button data-autofocus onClick={close}>
            Ok
          </Button>
        </Group>
      </>
    ),
  )
}
