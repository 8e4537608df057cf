import type { MantineThemeComponents } from '@mantine/core'
import { type CSSVariablesResolver, createTheme, type MantineThemeOverride, rem } from '@mantine/core'
import { FILLED, filledOnDark, shadesOf } from '#web/ui/theme/shades.ts'
import { DARK, FIGURE, LIGHT, MONO, type Palette, RADIUS, SANS, SIGNALS, SPACE, TYPE } from '#web/ui/theme/tokens.ts'

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
    fontSizes: eachOf(TYPE, ({ size }) => rem(size)),
    lineHeights: eachOf(TYPE, ({ size, line }) => String(line / size)),
    headings: {
      fontFamily: SANS,
      fontWeight: '600',
      sizes: { h1: heading('xl'), h2: heading('lg'), h3: heading('md'), h4: heading('md'), h5: heading('sm') },
    },
    spacing: eachOf(SPACE, rem),
    radius: eachOf(RADIUS, rem),
    defaultRadius: 'sm',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: COMPONENT_DEFAULTS,
  })
}

function heading(size: keyof typeof TYPE) {
  return { fontSize: rem(TYPE[size].size), lineHeight: String(TYPE[size].line / TYPE[size].size) }
}

function eachOf<Key extends string, Value, Result>(
  values: Record<Key, Value>,
  of: (value: Value) => Result,
): Record<Key, Result> {
  const entries = (Object.entries(values) as [Key, Value][]).map(([key, value]) => [key, of(value)])
  return Object.fromEntries(entries) as Record<Key, Result>
}

/** Mantine's neutral scales in our greys: light surfaces and edges, and the dark ones. */
const GRAY = [
  LIGHT.menu,
  LIGHT.hover,
  LIGHT.line,
  '#e0e1e6',
  LIGHT.edge,
  '#80838d',
  LIGHT.soft,
  '#4a4e55',
  '#33373c',
  LIGHT.ink,
] as const
const SLATE = [
  DARK.ink,
  '#d0d3d7',
  DARK.soft,
  '#8d929a',
  DARK.edge,
  DARK.line,
  DARK.hover,
  DARK.card,
  DARK.menu,
  DARK.page,
] as const

export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: { '--portal-figure': rem(FIGURE.size), '--portal-figure-line': rem(FIGURE.line) },
  light: {
    ...variablesOf(LIGHT),
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
    '--portal-focus': 'var(--mantine-color-brand-6)',
    '--portal-selected': 'color-mix(in srgb, var(--mantine-color-brand-6) 8%, transparent)',
    '--portal-selected-ink': 'var(--mantine-color-brand-7)',
  },
  dark: {
    ...variablesOf(DARK),
    '--mantine-color-anchor': 'var(--mantine-color-brand-3)',
    '--mantine-color-brand-filled': filledOnDark(colors.brand?.[FILLED] ?? LIGHT.ink),
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
    '--mantine-color-disabled': 'transparent',
    '--mantine-color-disabled-color': `color-mix(in srgb, ${palette.ink} 45%, transparent)`,
    '--mantine-color-disabled-border': palette.line,
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
  Anchor: { defaultProps: { underline: 'hover', inherit: true } },
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
