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
  page: '#fcfcfd',
  menu: '#f7f7f9',
  card: '#ffffff',
  hover: '#f0f0f3',
  line: '#e4e5ea',
  edge: '#cdced6',
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
  page: '#111113',
  menu: '#141517',
  card: '#18191b',
  hover: '#222427',
  line: '#2b2d31',
  edge: '#43484e',
  ink: '#edeef0',
  soft: '#b0b4ba',
  signal: {
    red: { tint: '#341412', edge: '#61211d', ink: '#ffb9b2', mark: '#f2665b' },
    orange: { tint: '#2f1d08', edge: '#5c3a12', ink: '#ffcb93', mark: '#f0932b' },
    blue: { tint: '#0d2536', edge: '#1a4664', ink: '#a6d8fb', mark: '#5bb3ec' },
    green: { tint: '#0f2717', edge: '#1e4d2e', ink: '#9be0b0', mark: '#46b969' },
  },
}
