/** A triad by what its three names have in common: "lic-core (3)" instead of "lic-core-a,lic-core-b,lic-core-c". */
export function shortHostName(serverName: string): string {
  const [first = '', ...others] = serverName.split(',')
  if (others.length === 0) return first
  let end = first.length
  while (!others.every((name) => name.startsWith(first.slice(0, end)))) end -= 1
  const shared = first.slice(0, end).replace(/[-_.]+$/, '')
  return `${shared || first} (${others.length + 1})`
}
