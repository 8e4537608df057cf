import { ActionIcon, CopyButton as Copy } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Tooltip } from '#web/ui/tooltip.tsx'

/** Copies an id. `what` completes the accessible name "Copy …". */
export function CopyButton({ value, what }: { value: string; what: string }) {
  return (
    <Copy value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            onClick={copy}
            aria-label={copied ? 'Copied' : `Copy ${what}`}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  )
}
