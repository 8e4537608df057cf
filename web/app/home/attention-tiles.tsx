import type { AttentionItem } from '#web/app/home/attention-items.ts'
import { countText } from '#web/lib/format.ts'
import { PortalLink } from '#web/lib/portal-link.tsx'
import classes from './attention-tiles.module.css'

/** Numbers that lead to their rows. */
export function AttentionTiles({ items }: { items: readonly AttentionItem[] }) {
  if (items.length === 0) return null
  return (
    <ul className={classes.tiles} aria-label="What needs attention">
      {items.map(({ label, labelOfOne = label, count, to, signal }) => (
        <li key={label}>
          <PortalLink to={to} className={classes.tile} data-signal={count > 0 ? signal : undefined}>
            <span className={classes.count}>{countText(count)}</span>
            <span className={classes.label}>{count === 1 ? labelOfOne : label}</span>
          </PortalLink>
        </li>
      ))}
    </ul>
  )
}
