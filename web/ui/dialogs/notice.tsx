import { Button, Group, Text } from '@mantine/core'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { openDialog } from '#web/ui/dialogs/open-dialog.tsx'

/** Shows a text that the person has to confirm. `about` names the subject, for example a customer. */
export function notice(text: string = NOT_ENOUGH_PERMISSIONS, about?: string): void {
  openDialog({ title: 'Notice', size: 600 }, (close) => (
    <>
      {about && (
        <Text size="sm" c="dimmed" mb={4}>
          {about}
        </Text>
      )}
      <Text>{text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button data-autofocus onClick={close}>
          Ok
        </Button>
      </Group>
    </>
  ))
}
