import { type PointerEvent, useRef } from 'react'
import classes from './collapsible-table.module.css'

type Props = {
  width: number
  onDrag(width: number): void
  onDrop(width: number): void
  onDoubleClick(): void
}

/** The edge of a header, by which its column is made wider or narrower. On the keyboard the header itself does it. */
export function ResizeHandle({ width, onDrag, onDrop, onDoubleClick }: Props) {
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
      // Else the header around it would be dragged away.
      draggable
      onDragStart={(event) => {
        event.preventDefault()
        event.stopPropagation()
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width }
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
