import { Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import classes from './collapsible-section.module.css'

type Props = {
  title: string
  /** What is worth knowing of the content while it is folded away: a count, for one. */
  aside?: ReactNode
  children: ReactNode
}

/** A part of a screen that can be folded away under its heading. */
export function CollapsibleSection({ title, aside, children }: Props) {
  const [isOpen, { toggle }] = useDisclosure(true)
  const contentId = useId()
  return (
    <section className={classes.section} aria-label={title}>
      <Title order={2} className={classes.heading}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? contentId : undefined}
          onClick={toggle}
        >
          <IconChevronDown className={classes.chevron} size={18} aria-hidden />
          {title}
        </button>
        {aside !== undefined && <span className={classes.aside}>{aside}</span>}
      </Title>
      {isOpen && <div id={contentId}>{children}</div>}
    </section>
  )
}
