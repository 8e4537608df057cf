import { Button, Group } from '@mantine/core'
import { ROTATION_HOURS } from '#domain/webhooks/endpoint.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import classes from './webhooks.module.css'

type Props = { url: string; secret: string; isRotated: boolean; onClose(): void }

/** The one time that a secret is shown. */
export function ShownSecret({ url, secret, isRotated, onClose }: Props) {
  return (
    <Dialog title="Signing secret" size={620} onClose={onClose} closeOnClickOutside={false}>
      <p className={classes.about}>
        Copy the secret now and keep it in a safe place. It is not shown again. With it, the endpoint{' '}
        <span className={classes.url}>{url}</span> verifies that events come from this portal, as Standard Webhooks
        describes.
        {isRotated && ` The former secret is also valid for ${ROTATION_HOURS} more hours.`}
      </p>
      <div className={classes.secret}>
        <code>{secret}</code>
        <CopyButton value={secret} what="secret" />
      </div>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Dialog>
  )
}
