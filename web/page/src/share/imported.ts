/**
 * What a user brings in: the text of a file, dropped or pasted. It is a trace, a counterexample, or a command line.
 */
import { parseCommand } from '../state/command'
import { deflateSync, strToU8 } from 'fflate'

export type Imported =
  | { kind: 'trace'; text: string }
  | { kind: 'command'; page: 'run' | 'check'; command: string; at?: 'last' }

/** A text that is nothing of what can be imported. */
export class UnknownTextError extends Error {}

/** A check that found nothing has no run to show. */
export class NoCounterexampleError extends Error {}

export function readImport(text: string, algorithms: string[]): Imported {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (/^[[{]/.test(trimmed)) {
    return readJson(trimmed)
  }
  const lines = trimmed.split('\n').map((each) => each.trim().replace(/^\$\s*/, ''))
  for (const verb of ['run', 'check'] as const) {
    const line = lines.find((each) => new RegExp(`^(\\S*habemus\\s+)?${verb}\\s+\\S`).test(each))
    if (line) {
      return commandOf(line.replace(/^(\S*habemus\s+)?(run|check)\s+/, ''), verb)
    }
  }
  if (lines.length === 1 && algorithms.includes(parseCommand(trimmed).subject)) {
    return commandOf(trimmed, 'run')
  }
  throw new UnknownTextError(lines[0].slice(0, 60))
}

function readJson(text: string): Imported {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return { kind: 'trace', text } // one document a line
  }
  if (document !== null && typeof document === 'object' && 'what' in document) {
    return { kind: 'trace', text }
  }
  if (document !== null && typeof document === 'object' && 'replay' in document && document.replay === '') {
    throw new NoCounterexampleError()
  }
  const replay = findReplay(document)
  if (replay === null) {
    throw new UnknownTextError(text.slice(0, 60))
  }
  return commandOf(replay, 'run')
}

/** The first run of a document that is given move by move: the counterexample of a check. */
function findReplay(value: unknown): string | null {
  if (typeof value === 'string') {
    const match = /^(?:\S*habemus\s+)?(?:run\s+)?([a-z][\w:-]*\s.*--moves\s.+)$/.exec(value)
    return match ? match[1] : null
  }
  if (value !== null && typeof value === 'object') {
    for (const part of Object.values(value)) {
      const found = findReplay(part)
      if (found !== null) {
        return found
      }
    }
  }
  return null
}

function commandOf(command: string, page: 'run' | 'check'): Imported {
  return { kind: 'command', page, command, ...(/\s--moves[\s=]/.test(command) && { at: 'last' as const }) }
}

/** An address longer than this does not fit into many messages and documents. */
const LONGEST_IN_ADDRESS = 60_000

/** The mark in an address of a trace that is too long for it. */
export const KEPT_HERE = '@'

let kept = ''

/** The value of the address for a trace: its text, or a mark if it is too long. Then the page keeps the text. */
export function traceParameter(text: string): string {
  const isShort = deflateSync(strToU8(text), { level: 9 }).length * 1.4 < LONGEST_IN_ADDRESS
  kept = isShort ? '' : text
  return isShort ? text : KEPT_HERE
}

/** The trace of an address, or null if it is not in the address and this page does not have it. */
export function traceText(parameter: string): string | null {
  return parameter === KEPT_HERE ? kept || null : parameter
}
