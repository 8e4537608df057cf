/** The parts of the grid library that we use; whatever is not listed here does not reach the browser. */
import {
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  CustomFilterModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  ScrollApiModule,
  TooltipModule,
  themeQuartz,
  ValidationModule,
} from 'ag-grid-community'

ModuleRegistry.registerModules([
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  CustomFilterModule,
  RenderApiModule,
  RowApiModule,
  ScrollApiModule,
  TooltipModule,
  // Explains mistakes in the console while we work on the portal.
  ...(import.meta.env.DEV ? [ValidationModule] : []),
])

export const ROW_HEIGHT = 32
/** For rows of which a cell has two lines. */
export const TALL_ROW_HEIGHT = 46
export const HEADER_HEIGHT = 34
export const FILTER_HEIGHT = 34

/** All colors are the portal's own variables, so that light and dark follow by themselves. */
export const gridTheme = themeQuartz.withParams({
  accentColor: 'var(--portal-focus)',
  backgroundColor: 'var(--portal-card)',
  foregroundColor: 'var(--mantine-color-text)',
  borderColor: 'var(--portal-line)',
  browserColorScheme: 'inherit',
  cellHorizontalPadding: 12,
  fontFamily: 'inherit',
  fontSize: 14,
  headerBackgroundColor: 'var(--portal-menu)',
  headerFontSize: 13,
  headerFontWeight: 600,
  headerColumnResizeHandleColor: 'var(--portal-edge)',
  headerColumnResizeHandleHeight: '40%',
  headerHeight: HEADER_HEIGHT,
  oddRowBackgroundColor: 'var(--portal-card)',
  pinnedColumnBorder: { color: 'var(--portal-line)' },
  rowHeight: ROW_HEIGHT,
  rowHoverColor: 'var(--portal-hover)',
  spacing: 6,
  wrapperBorder: false,
  wrapperBorderRadius: 0,
})

/** The library centers text by the height of the theme's rows. */
export const tallGridTheme = gridTheme.withParams({ rowHeight: TALL_ROW_HEIGHT })
