import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { PortalLink } from '#web/lib/portal-link.tsx'
import { useRouteHandle } from '#web/ui/crumbs.ts'
import classes from './page-head.module.css'

type Props = {
  /** The name of the screen, unless something of its content names it better. */
  title?: ReactNode
  /** One line that says what is being looked at. */
  context?: ReactNode
  actions?: ReactNode
}

/** The top of every screen: where one is, what it is called, what can be done. */
export function PageHead({ title, context, actions }: Props) {
  const route = useRouteHandle()
  const crumbs = route?.crumbs ?? []
  return (
    <header className={classes.head}>
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
      <div className={classes.row}>
        <div className={classes.what}>
          <Title order={1}>{title ?? route?.title}</Title>
          {context && <div className={classes.context}>{context}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
    </header>
  )
}
