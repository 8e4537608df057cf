import { Button, Input, Stack, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { LINK_ADDRESS_INVALID, LINK_TEXT_REQUIRED } from '#domain/messages/alert-draft.ts'
import type { FormLink } from '#web/modules/messages/alert-versions.ts'
import { safeLinks } from '#web/modules/messages/safe-links.ts'
import { RemoveButton, Removed } from '#web/ui/remove-button.tsx'
import classes from './alerts.module.css'

const MAX_LINKS = 20

/** Links of an alert: a text and an address each. */
export function AlertLinksField({ links, onChange }: { links: FormLink[]; onChange(links: FormLink[]): void }) {
  const change = (place: number, part: Partial<FormLink>) => onChange(links.with(place, { ...links[place]!, ...part }))
  /** One that was never filled in goes at once. */
  const remove = (place: number, { text, url }: FormLink) =>
    text === '' && url === '' ? onChange(links.toSpliced(place, 1)) : change(place, { isRemoved: true })
  return (
    <Stack gap={6} component="fieldset" m={0} p={0} bd={0}>
      <Input.Label component="legend">Links</Input.Label>
      {links.map((link, place) => (
        <div key={place} className={classes.link}>
          {link.isRemoved ? (
            <>
              <Removed>{link.text}</Removed>
              <Removed>{link.url}</Removed>
            </>
          ) : (
            <>
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
            </>
          )}
          <RemoveButton
            what={`link ${place + 1}`}
            isRemoved={link.isRemoved === true}
            onRemove={() => remove(place, link)}
            onKeep={() => change(place, { isRemoved: false })}
          />
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={links.filter((link) => !link.isRemoved).length >= MAX_LINKS}
          onClick={() => onChange([...links, { text: '', url: '' }])}
        >
          Add link
        </Button>
      </div>
    </Stack>
  )
}
