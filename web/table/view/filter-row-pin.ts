import { useLocalStorage } from '@mantine/hooks'

/** Whether every table has a row of filters below its head; remembered by the browser. */
export function usePinnedFilterRow(): [boolean, (isPinned: boolean) => void] {
  const [isPinned, setIsPinned] = useLocalStorage({
    key: 'table-filter-row',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  return [isPinned, setIsPinned]
}
