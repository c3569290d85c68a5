/**
 * The address of the page: `#/run?c=…&at=…`. The part before the question mark is the page, the rest its parameters.
 *
 * A value with many characters is compressed: `c~=` in place of `c=`.
 */
import { deflateSync, Inflate, inflateSync, strFromU8, strToU8 } from 'fflate'

export const PAGES = ['run', 'check', 'gallery', 'matrix', 'compare', 'quorum', 'timeout'] as const
export type Page = (typeof PAGES)[number]
export type Parameters = Record<string, string>

const COMPRESSED_LENGTH = 600
/** The address is written when nothing has changed for this time: browsers limit how often a page may write it. */
const QUIET_MILLIS = 350

class Route {
  page: Page = $state('run')
  /** What followed the `#/` if it names no page. */
  unknownPage = $state('')
  parameters: Parameters = $state.raw({})
  /** Whether the page is shown inside another one: no header, no command line. */
  readonly isEmbedded: boolean = new URLSearchParams(location.search).has('embed')
  #writer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    this.#read()
    addEventListener('hashchange', () => this.#read())
  }

  /** Goes to a page. The browser's back button returns. */
  go(page: Page, parameters: Parameters = {}) {
    this.#flush()
    location.hash = address(page, parameters)
  }

  /** The value of a parameter if it is one of these. Otherwise the first of them. */
  choice<T extends string>(name: string, known: readonly T[]): T {
    return known.find((each) => each === this.parameters[name]) ?? known[0]
  }

  /**
   * Changes parameters in place, without a new entry in the history. An empty value removes one. `<html data-unwritten>` is
   * there until the address has them; tests wait for its end.
   */
  replace(changes: Parameters) {
    const parameters = { ...this.parameters, ...changes }
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') {
        delete parameters[name]
      }
    }
    this.parameters = parameters
    clearTimeout(this.#writer)
    this.#writer = setTimeout(() => this.#flush(), QUIET_MILLIS)
    document.documentElement.dataset.unwritten = ''
  }

  /** The address of what is seen now, with the frame of the page. */
  get pageLink(): string {
    return location.href.split(/[?#]/)[0] + address(this.page, this.parameters)
  }

  /** The address of what is seen now, to be shared. */
  link(): string {
    this.#flush()
    return location.href
  }

  #flush() {
    if (this.#writer !== undefined) {
      clearTimeout(this.#writer)
      this.#writer = undefined
      history.replaceState(null, '', address(this.page, this.parameters))
      delete document.documentElement.dataset.unwritten
    }
  }

  #read() {
    clearTimeout(this.#writer)
    this.#writer = undefined
    delete document.documentElement.dataset.unwritten
    const [path, query = ''] = splitOnce(location.hash.replace(/^#\/?/, ''), '?')
    const page = PAGES.find((name) => name === path)
    this.unknownPage = page || path === '' ? '' : path
    this.page = page ?? 'run'
    this.parameters = decode(query)
  }
}

/** The hash of a page with these parameters. */
export function address(page: Page, parameters: Parameters = {}): string {
  const query = encode(parameters)
  return query ? `#/${page}?${query}` : `#/${page}`
}

function encode(parameters: Parameters): string {
  return Object.entries(parameters)
    .filter(([name]) => name !== 'broken')
    .map(([name, value]) =>
      value.length > COMPRESSED_LENGTH ? `${name}~=${compress(value)}` : `${name}=${readable(value)}`,
    )
    .join('&')
}

/** Encodes a value so that a command line in an address can still be read. */
function readable(value: string): string {
  return encodeURIComponent(value)
    .replace(/%20/g, '+')
    .replace(/%2C/gi, ',')
    .replace(/%3A/gi, ':')
    .replace(/%40/gi, '@')
    .replace(/%2F/gi, '/')
}

/** What cannot be read is named in `broken`. Of a compressed value that was cut off, its beginning is kept. */
function decode(query: string): Parameters {
  const parameters: Parameters = {}
  for (const part of query.split('&').filter(Boolean)) {
    const [written, value] = splitOnce(part, '=')
    const name = written.replace(/~$/, '')
    try {
      parameters[name] = written === name ? decodeURIComponent(value.replace(/\+/g, ' ')) : decompress(value)
    } catch {
      parameters.broken = parameters.broken ? `${parameters.broken} ${name}` : name
      const beginning = written === name ? value.replace(/%.?$/, '').replace(/\+/g, ' ') : beginningOf(value)
      if (beginning) {
        parameters[name] = beginning
      }
    }
  }
  return parameters
}

const compressed = new Map<string, string>()

/** The address is written at every move of the cursor, and its long values seldom change. */
function compress(text: string): string {
  const known = compressed.get(text)
  if (known !== undefined) {
    return known
  }
  if (compressed.size > 8) {
    compressed.clear()
  }
  const bytes = deflateSync(strToU8(text), { level: 9 })
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const address = btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
  compressed.set(text, address)
  return address
}

function decompress(text: string): string {
  return strFromU8(inflateSync(bytesOf(text)))
}

function bytesOf(text: string): Uint8Array {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** The whole words of a compressed value as far as it can be read. */
function beginningOf(text: string): string {
  let beginning = ''
  try {
    const inflate = new Inflate((chunk) => (beginning += strFromU8(chunk, true)))
    inflate.push(bytesOf(text.slice(0, text.length - (text.length % 4))), false)
  } catch {
    // What was read before the damage remains.
  }
  return beginning.replace(/[.\s]?[^.\s]*$/, '')
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

export const route = new Route()
