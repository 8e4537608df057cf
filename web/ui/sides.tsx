import classes from './sides.module.css'

/** What was sent beside what was answered; below each other on phones. */
export function Sides({ sides }: { sides: readonly (readonly [title: string, text: string])[] }) {
  return (
    <div className={classes.sides}>
      {sides.map(([title, text]) => (
        <figure key={title} className={classes.side}>
          <figcaption>{title}</figcaption>
          <pre>{text}</pre>
        </figure>
      ))}
    </div>
  )
}
