import { Tabs } from '@mantine/core'
import classes from '#web/modules/activations/activations.module.css'

type Props = { number: string; name: string | undefined }

/** The tab of a customer: its number, and its name where that is known. */
export function CustomerTab({ number, name }: Props) {
  return (
    <Tabs.Tab value={number}>
      {number}
      {name && <span className={classes.tabName}> {name}</span>}
    </Tabs.Tab>
  )
}
