import { Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './cards.module.css'

/** The parts of a page of settings below each other, as wide as text is read well. */
export function Cards({ children }: { children: ReactNode }) {
  return <div className={classes.cards}>{children}</div>
}

type Props = {
  title: string
  /** One line about what the card is for. */
  about?: ReactNode
  children: ReactNode
}

/** A named part of a page. Its fields are not wider than what is typed into them. */
export function Card({ title, about, children }: Props) {
  const id = useId()
  return (
    <Paper component="section" className={classes.card} aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {about && <p className={classes.about}>{about}</p>}
      <div className={classes.content}>{children}</div>
    </Paper>
  )
}
