import type { ReactNode } from 'react'
import { alertTime } from '#web/lib/format.ts'
import type { BannerText } from '#web/modules/messages/banner-text.ts'
import classes from './alert-banner.module.css'

/** What the banner says; its title is a link there, and plain text in a preview. */
export function BannerMessage({ text, title }: { text: BannerText; title: ReactNode }) {
  return (
    <p className={classes.text}>
      {title}
      {text.services && <strong className={classes.services}>{text.services}</strong>}
      {text.description && <span>{text.description}</span>}
      {text.from && (
        <span>
          from <time dateTime={text.from}>{alertTime(text.from)}</time>
          {text.to && (
            <>
              {' to '}
              <time dateTime={text.to}>{alertTime(text.to)}</time>
            </>
          )}
        </span>
      )}
    </p>
  )
}
