import { Tabs, Text } from '@mantine/core'

type Props = { number: string; name: string | undefined }

/** The tab of a customer: its number, and its name where that is known. */
export function CustomerTab({ number, name }: Props) {
  return (
    <Tabs.Tab value={number}>
      {number}
      {name && (
        <Text span inherit c="dimmed">
          {' '}
          {name}
        </Text>
      )}
    </Tabs.Tab>
  )
}
