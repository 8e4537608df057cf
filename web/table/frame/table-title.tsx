import { Title } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { countText } from '#web/lib/format.ts'
import classes from './frame.module.css'

type Props = { title: string; total: number | undefined; isOpen: boolean; onToggle(): void; contentId: string }

/** The heading of a table, which folds it away. The number of rows stays visible. */
export function TableTitle({ title, total, isOpen, onToggle, contentId }: Props) {
  return (
    <Title order={2} className={classes.title}>
      <button
        type="button"
        className={classes.titleButton}
        aria-expanded={isOpen}
        aria-controls={isOpen ? contentId : undefined}
        onClick={onToggle}
      >
        <IconChevronDown className={classes.chevron} size={18} aria-hidden />
        {title}
      </button>
      {total !== undefined && <span className={classes.aside}>{countText(total)}</span>}
    </Title>
  )
}
