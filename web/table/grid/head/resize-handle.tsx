import { type PointerEvent, useRef } from 'react'
import classes from '#web/table/grid/grid.module.css'

type Props = {
  onDrag(width: number): void
  onDrop(width: number): void
  onDoubleClick(): void
}

/** The edge of a header, by which its column is made wider or narrower. On the keyboard, Alt with an arrow does it. */
export function ResizeHandle({ onDrag, onDrop, onDoubleClick }: Props) {
  const start = useRef<{ x: number; width: number }>(undefined)
  const reached = ({ clientX }: PointerEvent) => start.current && start.current.width + clientX - start.current.x
  const drop = (event: PointerEvent) => {
    const end = reached(event)
    const hasMoved = end !== undefined && end !== start.current?.width
    start.current = undefined
    if (hasMoved) onDrop(end)
  }
  return (
    <span
      className={classes.handle}
      aria-hidden
      // Prevents the header around the handle from being dragged.
      draggable
      onDragStart={(event) => {
        event.preventDefault()
        event.stopPropagation()
      }}
      onClick={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? 0 }
      }}
      onPointerMove={(event) => {
        const now = reached(event)
        if (now !== undefined) onDrag(now)
      }}
      onPointerUp={drop}
      onPointerCancel={drop}
      onDoubleClick={onDoubleClick}
    />
  )
}
