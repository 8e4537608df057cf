/** Hands a file to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The download has its own hold on the content by the time that this runs.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
