import { ActionIcon, Button, Input, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { LINK_ADDRESS_INVALID, LINK_TEXT_REQUIRED } from '#domain/messages/alert-draft.ts'
import type { AlertLink } from '#domain/messages/alerts.ts'
import { safeLinks } from '#web/modules/messages/safe-links.ts'
import classes from './alerts.module.css'

const MAX_LINKS = 20

/** Links of an alert: a text and an address each. */
export function AlertLinksField({ links, onChange }: { links: AlertLink[]; onChange(links: AlertLink[]): void }) {
  const change = (place: number, part: Partial<AlertLink>) => onChange(links.with(place, { ...links[place]!, ...part }))
  return (
    <Stack gap={6} component="fieldset" m={0} p={0} bd={0}>
      <Input.Label component="legend">Links</Input.Label>
      {links.map((link, place) => (
        <div key={place} className={classes.link}>
          <TextInput
            aria-label={`Text of link ${place + 1}`}
            placeholder="Text"
            maxLength={200}
            value={link.text}
            error={link.url !== '' && link.text.trim() === '' && LINK_TEXT_REQUIRED}
            onChange={(event) => change(place, { text: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Address of link ${place + 1}`}
            placeholder="https://"
            inputMode="url"
            maxLength={2000}
            value={link.url}
            error={link.url !== '' && safeLinks([link]).length === 0 && LINK_ADDRESS_INVALID}
            onChange={(event) => change(place, { url: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove link ${place + 1}`}
            onClick={() => onChange(links.toSpliced(place, 1))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={links.length >= MAX_LINKS}
          onClick={() => onChange([...links, { text: '', url: '' }])}
        >
          Add link
        </Button>
      </div>
    </Stack>
  )
}
