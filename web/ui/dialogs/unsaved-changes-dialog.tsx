import { Button, Group, Modal, Text } from '@mantine/core'

/** Cancel stays where one is, Ok gives the changes up. */
export function UnsavedChangesDialog(props: { opened: boolean; onStay(): void; onDiscard(): void }) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onStay}
      title="WARNING: You have unsaved changes"
      withCloseButton={false}
    >
      <Text>If you continue, the changes that you made on this page are lost.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={props.onStay}>
          Cancel
        </Button>
        <Button onClick={props.onDiscard}>Ok</Button>
      </Group>
    </Modal>
  )
}
