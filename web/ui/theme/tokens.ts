/** The families, sizes and distances of the portal. The theme and every style sheet take them from here. */
export const SANS = "'Inter Variable', system-ui, sans-serif"
export const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

/** Each size has one line height: meta and heads of tables, cells and controls, text and forms, cards, pages. */
export const TYPE = {
  xs: { size: 12, line: 16 },
  sm: { size: 13, line: 20 },
  md: { size: 14, line: 20 },
  lg: { size: 16, line: 24 },
  xl: { size: 20, line: 28 },
} as const
/** A number that people look for first. */
export const FIGURE = { size: 24, line: 32 } as const

export const SPACE = { xs: 8, sm: 12, md: 16, lg: 24, xl: 32 } as const
/** Small marks, controls, popovers, cards, and what is round. */
export const RADIUS = { xs: 4, sm: 6, md: 8, lg: 10, xl: 16 } as const

/**
 * The neutral colors of the portal and those with a meaning, by purpose. A color with a meaning always comes with text
 * or an icon. palette.test.ts checks every pair against WCAG AA.
 */
export type Palette = {
  /** Behind everything, behind the side menu, and of cards and the toolbar. */
  page: string
  menu: string
  card: string
  hover: string
  line: string
  /** The edge of something that can be operated. */
  edge: string
  ink: string
  soft: string
  signal: Record<Signal, { tint: string; edge: string; ink: string; mark: string }>
}

export const SIGNALS = ['red', 'orange', 'blue', 'green'] as const
export type Signal = (typeof SIGNALS)[number]

export const LIGHT: Palette = {
  page: '#fafafb',
  menu: '#f6f6f8',
  card: '#ffffff',
  hover: '#f1f1f4',
  line: '#ededf1',
  edge: '#d6d7dd',
  ink: '#1c2024',
  soft: '#60646c',
  signal: {
    red: { tint: '#ffebe9', edge: '#fac5c0', ink: '#931a14', mark: '#d92d20' },
    orange: { tint: '#fff1de', edge: '#f7d2a3', ink: '#7d3f00', mark: '#e07b0b' },
    blue: { tint: '#e4f3fd', edge: '#b3dbf5', ink: '#0b4d79', mark: '#3d9cdb' },
    green: { tint: '#e6f6ea', edge: '#b5e0c1', ink: '#17572d', mark: '#2b9a4b' },
  },
}

export const DARK: Palette = {
  page: '#0e0f11',
  menu: '#121315',
  card: '#16171a',
  hover: '#1f2125',
  line: '#24262a',
  edge: '#3c4047',
  ink: '#eceef0',
  soft: '#a8adb5',
  signal: {
    red: { tint: '#341412', edge: '#61211d', ink: '#ffb9b2', mark: '#f2665b' },
    orange: { tint: '#2f1d08', edge: '#5c3a12', ink: '#ffcb93', mark: '#f0932b' },
    blue: { tint: '#0d2536', edge: '#1a4664', ink: '#a6d8fb', mark: '#5bb3ec' },
    green: { tint: '#0f2717', edge: '#1e4d2e', ink: '#9be0b0', mark: '#46b969' },
  },
}
