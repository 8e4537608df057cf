import type { ReactNode } from 'react'
import { bannerTimeText } from '#web/lib/format.ts'
import type { BannerText } from '#web/modules/messages/banner-text.ts'
import classes from './alert-banner.module.css'

/** The text of the banner. Its title is a link in the banner and plain text in the preview. */
export function BannerMessage({ text, title }: { text: BannerText; title: ReactNode }) {
  return (
    <p className={classes.text}>
      {title}
      {text.services && <strong className={classes.services}>{text.services}</strong>}
      {text.description && <span>{text.description}</span>}
      {text.from && (
        <span>
          from <time dateTime={text.from}>{bannerTimeText(text.from)}</time>
          {text.to && (
            <>
              {' to '}
              <time dateTime={text.to}>{bannerTimeText(text.to)}</time>
            </>
          )}
        </span>
      )}
    </p>
  )
}
