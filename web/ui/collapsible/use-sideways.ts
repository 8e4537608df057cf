import { useElementSize } from '@mantine/hooks'
import { type UIEvent, useState } from 'react'

/** How much room a table has, and on which sides of it there is more to be seen. */
export function useSideways() {
  const { ref, width: available } = useElementSize<HTMLDivElement>()
  const [left, setLeft] = useState(0)
  return {
    ref,
    available,
    onScroll: (event: UIEvent<HTMLDivElement>) => setLeft(Math.round(event.currentTarget.scrollLeft)),
    isMoreOnLeft: left > 0,
    isMoreOnRight: (width: number) => available > 0 && left + available < width - 1,
  }
}
