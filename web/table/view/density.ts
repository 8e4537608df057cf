import { useLocalStorage } from '@mantine/hooks'

export const DENSITIES = ['Comfortable', 'Compact'] as const
export type Density = (typeof DENSITIES)[number]

/** How close the rows of every table are; remembered by the browser. */
export function useDensity(): [Density, (density: Density) => void] {
  const [density, setDensity] = useLocalStorage<Density>({
    key: 'table-density',
    defaultValue: 'Comfortable',
    getInitialValueInEffect: false,
  })
  return [density, setDensity]
}

const ROW_HEIGHTS: Record<Density, { oneLine: number; twoLines: number }> = {
  Comfortable: { oneLine: 36, twoLines: 44 },
  Compact: { oneLine: 30, twoLines: 38 },
}

export function rowHeightOf(density: Density, isTwoLine: boolean): number {
  return isTwoLine ? ROW_HEIGHTS[density].twoLines : ROW_HEIGHTS[density].oneLine
}
