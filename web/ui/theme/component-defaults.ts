import type { MantineThemeComponents } from '@mantine/core'

const DIALOG = {
  overlayProps: { backgroundOpacity: 0.45 },
  closeButtonProps: { 'aria-label': 'Close' },
  // The page has one banner, the toolbar; the head of a dialog is none.
  attributes: { header: { role: 'presentation' } },
}

/** Set once here, so that no screen has to: motion that is short, dialogs that fill a phone, tooltips that focus shows. */
export const COMPONENT_DEFAULTS: MantineThemeComponents = {
  Anchor: { defaultProps: { underline: 'hover' } },
  Modal: { defaultProps: { ...DIALOG, centered: true, transitionProps: { duration: 120 } } },
  Drawer: { defaultProps: { ...DIALOG, transitionProps: { duration: 160 } } },
  // The placeholder that would take the first focus is no menu item, and a menu may contain nothing else.
  Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 100 }, withInitialFocusPlaceholder: false } },
  Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 100 } } },
  Paper: { defaultProps: { withBorder: true, radius: 'lg' } },
  Tooltip: {
    defaultProps: {
      // Everything on the page belongs to one of its landmarks, also what is drawn over it.
      portalProps: { target: '#main' },
      events: { hover: true, focus: true, touch: false },
      openDelay: 250,
      transitionProps: { duration: 80 },
    },
  },
}
