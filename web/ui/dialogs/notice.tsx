import { Button, Group, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'

/** Tells something that has to be read before going on. */
export function notice(text: string = NOT_ENOUGH_PERMISSIONS): void {
  const modalId = modals.open({
    title: 'Notice',
    size: 600,
    children: (
      <>
        <Text>{text}</Text>
        <Group justify="flex-end" mt="lg">
          <Button data-autofocus onClick={() => modals.close(modalId)}>
            Ok
          </Button>
        </Group>
      </>
    ),
  })
}
