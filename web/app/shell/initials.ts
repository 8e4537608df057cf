/** First letters of first and last name. The directory adds '(External)' to some names; it is left out. */
export function initials(firstName: string, lastName: string): string {
  const letter = (name: string) => [...name.replace(/\(External\)/gi, '').trim()][0] ?? ''
  return (letter(firstName) + letter(lastName)).toUpperCase()
}

export function plainName(firstName: string, lastName: string): string {
  return `${firstName} ${lastName}`
    .replace(/\(External\)/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
}
