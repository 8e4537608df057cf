/** An element of a regular expression that reads text: the source of a class or escape, or literal characters. */
type Atom = { readonly source: string; readonly isLiteral: boolean }
type Path = readonly Atom[]

const MAX_SAMPLES = 4
const MAX_PUMP = 3

/** Texts that a backtracking regular expression may be slow on: a prefix, what is repeated, and an end that does not match. */
export type HostileText = { readonly prefix: string; readonly pump: string; readonly suffix: string }

/** Follows every alternative of a regular expression, and repeats each of its elements where a match has come that far. */
export function hostileTexts(source: string, flags: string): HostileText[] {
  const paths = readAlternatives(source)
  const literals = paths.flatMap((path) => path.flatMap((atom) => (atom.isLiteral ? [...atom.source] : [])))
  const alphabet = [...new Set([...literals, 'a', ' ', '1', '/', '\t', ':', '(', '"', '\u0001', 'é'])]
  const samples = new Map<string, string[]>()
  const samplesOf = ({ source: text, isLiteral }: Atom): string[] => {
    if (isLiteral) return [text]
    const known = samples.get(text)
    if (known) return known
    const matches = new RegExp(`^(?:${text})$`, flags.replace(/[gym]/g, ''))
    const found = alphabet.filter((letter) => matches.test(letter)).slice(0, MAX_SAMPLES)
    samples.set(text, found)
    return found
  }
  const singles = new Set([...paths.flatMap((path) => path.flatMap(samplesOf)), ' '])
  const texts = new Map<string, HostileText>()
  for (const path of paths) {
    let prefix = ''
    for (let index = 0; index <= path.length; index++) {
      const joined = [2, MAX_PUMP].map((length) =>
        path
          .slice(index, index + length)
          .map((atom) => samplesOf(atom)[0] ?? '')
          .join(''),
      )
      for (const pump of [...singles, ...joined])
        for (const suffix of ['', '\u0001', '\n'])
          for (const before of index === 0 ? ['', 'x'] : [prefix])
            if (pump) texts.set(JSON.stringify([before, pump, suffix]), { prefix: before, pump, suffix })
      prefix += path[index] ? (samplesOf(path[index]!)[0] ?? '') : ''
    }
  }
  return [...texts.values()]
}

/** The ways through a regular expression: the first alternatives, and each other alternative once. */
function readAlternatives(source: string): Path[] {
  let at = 0

  function alternatives(): Path[] {
    const all = [...sequence()]
    while (source[at] === '|') {
      at += 1
      all.push(...sequence())
    }
    return all
  }

  function sequence(): Path[] {
    const elements: Path[][] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const element = term()
      quantifier()
      if (element.length) elements.push(element)
    }
    const first = elements.map((paths) => paths[0] ?? [])
    const others = elements.flatMap((paths, index) =>
      paths.slice(1).map((path) => first.flatMap((known, position) => (position === index ? path : known))),
    )
    return [first.flat(), ...others].map(joinLiterals)
  }

  function term(): Path[] {
    const letter = source[at]!
    if (letter === '(') {
      at += /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at))![0].length
      const paths = alternatives()
      at += 1
      return paths
    }
    const [text] = /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:[pPu]\{[^}]*\}|u\w{4}|x\w\w|k<\w+>|.)|.)/su.exec(source.slice(at))!
    at += text.length
    if (/^(?:[\^$]|\\[bB1-9k].*)$/s.test(text)) return []
    const plain = /^\\[^\w\s]$/.test(text) ? text.slice(1) : text
    return [[{ source: plain, isLiteral: plain.length === 1 && (plain !== text || text !== '.') }]]
  }

  function quantifier() {
    at += /^(?:[*+?]|\{\d+(?:,\d*)?\})?\??/.exec(source.slice(at))![0].length
  }

  return alternatives()
}

function joinLiterals(path: Path): Path {
  const joined: Atom[] = []
  for (const atom of path) {
    const last = joined.at(-1)
    if (last?.isLiteral && atom.isLiteral) joined[joined.length - 1] = { ...last, source: last.source + atom.source }
    else joined.push(atom)
  }
  return joined
}
