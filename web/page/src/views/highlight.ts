/** A piece of a line of Java, with the class of its colour. */
export interface Token {
  text: string
  kind: 'plain' | 'comment' | 'string' | 'keyword' | 'type' | 'number' | 'annotation'
}

const KEYWORDS =
  'abstract boolean break byte case char class continue default do double else enum extends final finally float for' +
  ' if implements import instanceof int interface long new package permits private protected public record return' +
  ' sealed short static super switch this throw throws try var void when while yield null true false non-sealed'

const KEYWORD_SET = new Set(KEYWORDS.split(' '))

const TOKEN = /(\/\/.*|\/\*.*?\*\/|\/\*.*)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*')|(@\w+)|(\b\d[\w.]*)|([A-Za-z_]\w*)/g

/** Splits Java into lines of coloured pieces. */
export function highlight(source: string): Token[][] {
  let isInComment = false
  return source.replace(/\n$/, '').split('\n').map((line) => {
    if (isInComment) {
      const end = line.indexOf('*/')
      isInComment = end < 0
      const comment: Token = { text: end < 0 ? line : line.slice(0, end + 2), kind: 'comment' }
      return end < 0 ? [comment] : [comment, ...tokens(line.slice(end + 2))]
    }
    const opened = line.lastIndexOf('/*')
    isInComment = opened >= 0 && line.indexOf('*/', opened) < 0
    return tokens(line)
  })
}

function tokens(line: string): Token[] {
  const found: Token[] = []
  let end = 0
  for (const match of line.matchAll(TOKEN)) {
    if (match.index > end) {
      found.push({ text: line.slice(end, match.index), kind: 'plain' })
    }
    const [text, comment, string, annotation, digits] = match
    const word = KEYWORD_SET.has(text) ? 'keyword' : /^[A-Z]/.test(text) ? 'type' : 'plain'
    const kind = comment ? 'comment' : string ? 'string' : annotation ? 'annotation' : digits ? 'number' : word
    found.push({ text, kind })
    end = match.index + text.length
  }
  if (end < line.length) {
    found.push({ text: line.slice(end), kind: 'plain' })
  }
  return found
}

/** The last line of the case or method that starts at a line, both counted from 1. */
export function endOfCase(source: string, start: number): number {
  const lines = source.split('\n')
  const indent = (line: string) => line.length - line.trimStart().length
  const own = indent(lines[start - 1] ?? '')
  let end = start
  while (end < lines.length && (lines[end].trim() === '' || indent(lines[end]) > own)) {
    end++
  }
  if (lines[end]?.trim().startsWith('}') && indent(lines[end]) === own && end > start) {
    end++
  }
  while (end > start && lines[end - 1].trim() === '') {
    end--
  }
  return end
}
