import { Link, useLocation, useSearchParams } from 'react-router'
import type { Block, Inline } from '#web/app/guide/guide-markdown.ts'
import { GUIDE, INDEX, pageName, pageOfScreen } from '#web/app/guide/guide-pages.ts'
import { currentSearch } from '#web/lib/address/replace-search.ts'
import { useRouteHandle } from '#web/ui/crumbs.ts'
import { HELP, withHelp } from '#web/ui/help-address.ts'
import { Drawer } from '#web/ui/overlays/modal.tsx'
import classes from './help-drawer.module.css'

/** A page of the guide beside the screen. */
export function HelpDrawer({ isOpen }: { isOpen: boolean }) {
  const [search, setSearch] = useSearchParams()
  const { pathname } = useLocation()
  const route = useRouteHandle()
  const asked = search.get(HELP) ?? ''
  const name = GUIDE.has(asked) ? asked : pageOfScreen(pathname, route?.menuPath)
  const page = GUIDE.get(name)
  const close = () =>
    setSearch(
      () => {
        const next = currentSearch()
        next.delete(HELP)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      position="right"
      size={420}
      title={page?.title}
      closeButtonProps={{ 'aria-label': 'Close help' }}
      transitionProps={{ duration: 0 }}
    >
      {/* Another page is read from its beginning. */}
      <div key={name} ref={(top) => top?.scrollIntoView({ block: 'end' })} />
      <article className={classes.page}>
        <Blocks blocks={page?.blocks ?? []} />
      </article>
      {name !== INDEX && (
        <nav aria-label="Guide" className={classes.others}>
          <h3>All pages</h3>
          <Blocks blocks={GUIDE.get(INDEX)?.blocks.filter(({ kind }) => kind === 'list') ?? []} />
        </nav>
      )}
    </Drawer>
  )
}

const keyed = <T,>(parts: readonly T[]) => parts.map((part, at) => [`${at}`, part] as const)

function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return keyed(blocks).map(([key, block]) => {
    switch (block.kind) {
      case 'heading':
        return (
          <h3 key={key}>
            <Text text={block.text} />
          </h3>
        )
      case 'paragraph':
        return (
          <p key={key}>
            <Text text={block.text} />
          </p>
        )
      default: {
        const List = block.isNumbered ? 'ol' : 'ul'
        return (
          <List key={key}>
            {keyed(block.items).map(([item, text]) => (
              <li key={item}>
                <Text text={text} />
              </li>
            ))}
          </List>
        )
      }
    }
  })
}

/** Elements of React and nothing else: a page cannot bring its own HTML. Links lead to other pages of the guide. */
function Text({ text }: { text: readonly Inline[] }) {
  const { pathname, search } = useLocation()
  return keyed(text).map(([key, part]) => {
    switch (part.kind) {
      case 'bold':
        return <strong key={key}>{part.text}</strong>
      case 'code':
        return <code key={key}>{part.text}</code>
      case 'link':
        return (
          <Link key={key} to={withHelp(pathname + search, pageName(part.to))} preventScrollReset>
            {part.text}
          </Link>
        )
      default:
        return part.text
    }
  })
}
