import { useLocalStorage } from '@mantine/hooks'

/** Whether "/" and "?" do something outside of fields. Who dictates or slips can turn them off; remembered by the browser. */
export function useSingleKeys(): [boolean, (areOn: boolean) => void] {
  const [areOn, setAreOn] = useLocalStorage({
    key: 'single-keys',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  return [areOn, setAreOn]
}
