import type { MantineThemeComponents } from '@mantine/core'
import { type CSSVariablesResolver, createTheme, type MantineThemeOverride } from '@mantine/core'
import { DARK, LIGHT, type Palette, SIGNALS } from '#web/ui/theme/palette.ts'
import { FILLED, shadesOf } from '#web/ui/theme/shades.ts'

const SANS = "'Inter Variable', system-ui, sans-serif"
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

/** The look of the portal around one brand color, which comes from the runtime configuration. */
export function themeFor(brandColor: string): MantineThemeOverride {
  return createTheme({
    primaryColor: 'brand',
    primaryShade: FILLED,
    colors: {
      brand: shadesOf(brandColor),
      red: shadesOf('#d92d20'),
      orange: shadesOf('#c2570c'),
      green: shadesOf('#1f8a43'),
      blue: shadesOf('#0b7bc1'),
      gray: GRAY,
      dark: SLATE,
    },
    black: LIGHT.ink,
    fontFamily: SANS,
    fontFamilyMonospace: MONO,
    fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
    headings: {
      fontFamily: SANS,
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.375rem', lineHeight: '1.3' },
        h2: { fontSize: '1rem', lineHeight: '1.4' },
        h3: { fontSize: '0.875rem', lineHeight: '1.45' },
      },
    },
    radius: { xs: '0.1875rem', sm: '0.3125rem', md: '0.4375rem', lg: '0.625rem', xl: '1rem' },
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: COMPONENT_DEFAULTS,
  })
}

/** Mantine's neutral scales in our greys: light surfaces and edges, and the dark ones. */
const GRAY = [
  '#f7f7f9',
  '#f0f0f3',
  '#e4e5ea',
  '#d9d9e0',
  '#cdced6',
  '#80838d',
  '#60646c',
  '#4a4e55',
  '#33373c',
  '#1c2024',
] as const
const SLATE = [
  '#edeef0',
  '#d0d3d7',
  '#b0b4ba',
  '#8d929a',
  '#43484e',
  '#2b2d31',
  '#222427',
  '#18191b',
  '#141517',
  '#111113',
] as const

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...variablesOf(LIGHT),
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
    '--portal-focus': 'var(--mantine-color-brand-6)',
    '--portal-selected': 'color-mix(in srgb, var(--mantine-color-brand-6) 9%, transparent)',
    '--portal-selected-ink': 'var(--mantine-color-brand-7)',
  },
  dark: {
    ...variablesOf(DARK),
    '--mantine-color-anchor': 'var(--mantine-color-brand-3)',
    '--portal-focus': 'var(--mantine-color-brand-4)',
    '--portal-selected': 'color-mix(in srgb, var(--mantine-color-brand-5) 22%, transparent)',
    '--portal-selected-ink': 'var(--mantine-color-brand-2)',
  },
})

function variablesOf(palette: Palette): Record<string, string> {
  return {
    '--portal-page': palette.page,
    '--portal-menu': palette.menu,
    '--portal-card': palette.card,
    '--portal-hover': palette.hover,
    '--portal-line': palette.line,
    '--portal-edge': palette.edge,
    ...Object.fromEntries(
      SIGNALS.flatMap((signal) =>
        Object.entries(palette.signal[signal]).map(([part, color]) => [`--portal-${signal}-${part}`, color]),
      ),
    ),
    '--mantine-color-body': palette.card,
    '--mantine-color-text': palette.ink,
    '--mantine-color-bright': palette.ink,
    '--mantine-color-dimmed': palette.soft,
    '--mantine-color-placeholder': palette.soft,
    '--mantine-color-error': palette.signal.red.ink,
    '--mantine-color-success': palette.signal.green.ink,
    '--mantine-color-default': palette.card,
    '--mantine-color-default-hover': palette.hover,
    '--mantine-color-default-color': palette.ink,
    '--mantine-color-default-border': palette.edge,
  }
}

const DIALOG = {
  overlayProps: { backgroundOpacity: 0.45 },
  closeButtonProps: { 'aria-label': 'Close' },
  // The page has one banner, the toolbar; the head of a dialog must not be another.
  attributes: { header: { role: 'presentation' } },
}

/** Set once here, so that no screen has to: motion that is short, dialogs that fill a phone, tooltips that focus shows. */
const COMPONENT_DEFAULTS: MantineThemeComponents = {
  Anchor: { defaultProps: { underline: 'hover' } },
  // A dialog of 1200 pixels has them in a window of 1280: of the edges it leaves no more than this.
  Modal: { defaultProps: { ...DIALOG, centered: true, xOffset: '1rem', transitionProps: { duration: 120 } } },
  Drawer: { defaultProps: { ...DIALOG, transitionProps: { duration: 160 } } },
  // The placeholder that would take the first focus is no menu item, and a menu may contain nothing else.
  Menu: {
    defaultProps: {
      shadow: 'md',
      transitionProps: { duration: 100 },
      withInitialFocusPlaceholder: false,
      // A menu ends inside of the window: it goes away when somebody scrolls the page to reach the rest of it.
      middlewares: { size: { padding: 8 } },
    },
  },
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
