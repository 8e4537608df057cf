import { Title } from '@mantine/core'
import { IconDots, IconQuestionMark } from '@tabler/icons-react'
import { type ReactNode, use, useId, useState } from 'react'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { useShownAccount } from '#web/lib/customer.tsx'
import { MenuGroupContext, useRouteHandle } from '#web/ui/crumbs.ts'
import { useOpenHelp } from '#web/ui/help-address.ts'
import { useSingleKeys } from '#web/ui/single-keys.ts'
import classes from './page-head.module.css'

type Props = {
  /** The name of the screen, if not the title of the route. */
  title?: ReactNode
  /** One line about what the screen shows. */
  context?: ReactNode
  actions?: ReactNode
  /** Title and actions stay in sight while the page scrolls. */
  isSticky?: boolean
}

/** The top of every screen: breadcrumbs, title, help, one line of context, actions. */
export function PageHead({ title, context, actions, isSticky }: Props) {
  const route = useRouteHandle()
  const shown = useShownAccount()
  const account = route?.isOfAccount ? shown?.name : undefined
  const [home, ...more] = route?.crumbs ?? []
  const group = use(MenuGroupContext)
  const crumbs = home
    ? [
        home,
        ...(account ? [{ text: account }] : []),
        ...more.map((crumb) => (crumb.to === undefined && group ? { text: group } : crumb)),
      ]
    : []
  return (
    <header className={classes.head} data-sticky={isSticky || undefined}>
      {crumbs.length > 0 && (
        <nav aria-label="Breadcrumbs">
          <ol className={classes.crumbs}>
            {crumbs.map((crumb) => (
              <li key={crumb.text}>{crumb.to ? <PortalLink to={crumb.to}>{crumb.text}</PortalLink> : crumb.text}</li>
            ))}
            <li aria-current="page">{route?.title}</li>
          </ol>
        </nav>
      )}
      <div className={classes.line}>
        <div className={classes.title}>
          <Title order={1}>{title ?? route?.title}</Title>
          <HelpButton />
        </div>
        {actions && <Actions>{actions}</Actions>}
      </div>
      {context && <div className={classes.context}>{context}</div>}
    </header>
  )
}

/** The style sheet shows the button where there is no room for several actions. */
function Actions({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        className={classes.more}
        aria-label="Actions of this page"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconDots size={20} stroke={1.6} aria-hidden />
      </button>
      <div id={id} className={classes.actions}>
        {children}
      </div>
    </>
  )
}

function HelpButton() {
  const openHelp = useOpenHelp()
  const [hasSingleKeys] = useSingleKeys()
  return (
    <button
      type="button"
      className={classes.help}
      aria-label="Help for this page"
      aria-keyshortcuts={hasSingleKeys ? '?' : undefined}
      aria-haspopup="dialog"
      title={hasSingleKeys ? 'Help for this page (?)' : 'Help for this page'}
      onClick={openHelp}
    >
      <IconQuestionMark size={16} stroke={1.6} aria-hidden />
    </button>
  )
}
