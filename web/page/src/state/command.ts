/**
 * The command line as a value: what is run, and its options in their order.
 *
 * Controls change the command line and nothing else. What they do not know stays as it is.
 */

export interface CommandOption {
  name: string
  /** Null for a flag. */
  value: string | null
}

export interface CommandLine {
  /** The algorithm, or `gallery:NAME`. */
  subject: string
  options: CommandOption[]
}

/** Reads a command line without `run`. A leading `./habemus run` is skipped, so that a copied command can be pasted. */
export function parseCommand(text: string, isFlag: (option: string) => boolean = () => false): CommandLine {
  const words = splitWords(text.replace(/^\s*(\S*habemus\s+)?(run\s+)?/, ''))
  const line: CommandLine = { subject: '', options: [] }
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    if (!/^-{1,2}[a-z]/.test(word)) {
      line.subject ||= word
      continue
    }
    const equals = word.indexOf('=')
    const next = words[i + 1]
    if (equals > 0) {
      line.options.push({ name: word.slice(0, equals), value: word.slice(equals + 1) })
    } else if (isFlag(word) || next === undefined || /^-{1,2}[a-z]/.test(next)) {
      line.options.push({ name: word, value: null })
    } else {
      line.options.push({ name: word, value: next })
      i++
    }
  }
  return line
}

export function formatCommand({ subject, options }: CommandLine): string {
  const words = options.flatMap(({ name, value }) => (value === null ? [name] : [name, quote(value)]))
  return [subject, ...words].filter(Boolean).join(' ')
}

/** The value of an option, or undefined. A flag that is set has the empty value. */
export function optionValue(line: CommandLine, name: string): string | undefined {
  const option = line.options.find((each) => each.name === name)
  return option && (option.value ?? '')
}

/** Sets an option in its place, or at the end. Null removes it; true sets a flag. */
export function withOption(line: CommandLine, name: string, value: string | true | null): CommandLine {
  const at = line.options.findIndex((each) => each.name === name)
  const others = line.options.filter((each) => each.name !== name)
  if (value === null) {
    return { ...line, options: others }
  }
  const option = { name, value: value === true ? null : value }
  const options = at < 0 ? [...others, option] : [...others.slice(0, at), option, ...others.slice(at)]
  return { ...line, options }
}

/** Adds one more use of an option that may be given several times. */
export function addOption(line: CommandLine, name: string, value: string): CommandLine {
  return { ...line, options: [...line.options, { name, value }] }
}

/** Removes the option at an index of `options`. */
export function withoutOptionAt(line: CommandLine, index: number): CommandLine {
  return { ...line, options: line.options.filter((_, i) => i !== index) }
}

/** Splits as a shell does: blanks separate, quotes keep together. */
function splitWords(text: string): string[] {
  const words: string[] = []
  for (const match of text.matchAll(/(?:'[^']*'?|"[^"]*"?|[^\s'"])+/g)) {
    words.push(match[0].replace(/'([^']*)'?|"([^"]*)"?/g, (_, single, double) => single ?? double ?? ''))
  }
  return words
}

function quote(value: string): string {
  return value === '' || /[\s'"<>|&;*?()$`\\]/.test(value) ? `'${value.replace(/'/g, `'"'"'`)}'` : value
}
