import { Button, Group, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'

/** Shows a text that the person has to confirm. `about` names the subject, for example a customer. */
export function notice(text: string = NOT_ENOUGH_PERMISSIONS, about?: string): void {
  const modalId = modals.open({
    title: 'Notice',
    size: 600,
    children: (
      <>
        {about && (
          <Text size="sm" c="dimmed" mb={4}>
            {about}
          </Text>
        )}
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
