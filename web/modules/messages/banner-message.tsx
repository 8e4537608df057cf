import type { ReactNode } from 'react'
import { bannerTimeText } from '#web/lib/format.ts'
import type { BannerText } from '#web/modules/messages/banner-text.ts'
import classes from './alert-banner.module.css'

type Props = {
  text: BannerText
  /** A link in the banner and plain text in the preview. */
  title: ReactNode
  /** Where it is on one line, however long it is. */
  line?: 'always' | 'on phones'
}

/** The text of the banner. */
export function BannerMessage({ text, title, line }: Props) {
  return (
    <p className={classes.text} data-line={line}>
      {title}
      {text.services && <strong className={classes.services}>{text.services}</strong>}
      {text.description && <span className={classes.description}>{text.description}</span>}
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
