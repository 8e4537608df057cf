import { Group, Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './options-files.module.css'

type Props = { title: string; about: string; actions?: ReactNode; children: ReactNode }

export function OptionsCard({ title, about, actions, children }: Props) {
  const id = useId()
  return (
    <Paper component="section" className={classes.card} aria-labelledby={id}>
      <Group justify="space-between" gap="0.5rem 1rem">
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      <p className={classes.about}>{about}</p>
      {children}
    </Paper>
  )
}
