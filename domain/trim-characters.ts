/** The text without any of these characters at its end. An expression such as /[:.]+$/ takes quadratic time for that. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1
  return text.slice(0, end)
}
