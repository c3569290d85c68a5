/** The matrix as the data file has it, and as the page shows it. See `habemus.web.data.CompactMatrix`. */
import type { Problem } from '../engine/protocol'
import { formatCommand, parseCommand } from './command'

interface PackedLine {
  p: Problem
  a: string
  v: string
  b: 0 | 1
  s: 0 | 1
  c: string[]
}

interface PackedMatrix {
  faults: MatrixFault[]
  problems: Record<string, string[]>
  scopes: [number, number, number, 0 | 1][]
  lines: PackedLine[]
}

export interface MatrixFault {
  name: string
  text: string
  /** The options of `habemus check` for the fault. */
  options: string
}

export interface Scope {
  nodes: number
  entries: number
  callers: number
  timed: boolean
}

export type CellVerdict = 'holds' | 'incomplete' | 'measured' | 'stuck' | 'violated'

export interface Finding {
  property: string
  verdict: CellVerdict
  scope: Scope
  /** The steps of a shortest counterexample. */
  steps?: number
  /** The steps after this one repeat for ever. */
  loop?: number
  /** The largest bypass, by the number of entries. */
  bypasses?: number[]
}

export interface Cell {
  states: number
  /** The largest scope that was checked completely. */
  complete?: Scope
  worst?: Finding
  findings: Finding[]
}

export interface Line {
  algorithm: string
  variant: string
  problem: Problem
  isBag: boolean
  isSynchronous: boolean
  /** By the index of the fault; undefined where it does not apply. */
  cells: (Cell | undefined)[]
}

export interface Matrix {
  faults: MatrixFault[]
  problems: Record<string, string[]>
  lines: Line[]
}

export const PROTOCOL_BUG = 'protocol-bug'

const VERDICTS: Record<string, CellVerdict> = {
  h: 'holds',
  i: 'incomplete',
  m: 'measured',
  s: 'stuck',
  v: 'violated',
}

export const SYMBOLS: Record<CellVerdict, string> = {
  holds: '✓',
  incomplete: '?',
  measured: '~',
  stuck: '⊘',
  violated: '✗',
}

export function unpack(packed: PackedMatrix): Matrix {
  const scopes = packed.scopes.map(([nodes, entries, callers, timed]) => ({ nodes, entries, callers, timed: timed === 1 }))
  return {
    faults: packed.faults,
    problems: packed.problems,
    lines: packed.lines.map((line) => ({
      algorithm: line.a,
      variant: line.v,
      problem: line.p,
      isBag: line.b === 1,
      isSynchronous: line.s === 1,
      cells: line.c.map((text) => (text === '' ? undefined : cell(text, packed.problems[line.p], scopes))),
    })),
  }
}

function cell(text: string, properties: string[], scopes: Scope[]): Cell {
  const [states, complete, worst, ...groups] = text.split(' ')
  let before = ''
  const all = groups.map((group, i) => {
    before = group === '=' ? before : group
    return finding(properties[i] ?? PROTOCOL_BUG, before, scopes)
  })
  return {
    states: Number(states),
    complete: scopes[Number(complete)],
    worst: all[Number(worst)],
    findings: all.filter((each) => each !== undefined),
  }
}

function finding(property: string, group: string, scopes: Scope[]): Finding | undefined {
  const match = /^([himsv])(\d+)(?:\.([\d,]+)(?:l(\d+))?)?$/.exec(group)
  if (!match) {
    return undefined
  }
  const [, letter, scope, numbers, loop] = match
  const verdict = VERDICTS[letter]
  const found: Finding = { property, verdict, scope: scopes[Number(scope)] }
  if (verdict === 'measured') {
    found.bypasses = numbers?.split(',').map(Number) ?? []
  } else if (numbers !== undefined) {
    found.steps = Number(numbers)
  }
  if (loop !== undefined) {
    found.loop = Number(loop)
  }
  return found
}

/** The symbol of a finding, with the steps of its counterexample or the largest bypass. */
export function symbolText(found: Finding): string {
  const count = found.steps ?? found.bypasses?.at(-1)
  return count === undefined ? SYMBOLS[found.verdict] : `${SYMBOLS[found.verdict]} ${count}`
}

/** The command line that checks a cell in this scope, without `check`. */
export function checkCommand(line: Line, fault: MatrixFault, scope: Scope, property?: string): string {
  const words = [line.algorithm, line.variant, `-n ${scope.nodes}`]
  if (line.problem === 'mutex') {
    words.push(`--entries ${scope.entries}`)
  }
  if (scope.callers < scope.nodes) {
    const nodes = Array.from({ length: scope.callers }, (_, i) => i + 1).join(',')
    words.push(line.problem === 'mutex' ? `--callers ${nodes}` : `--initiators ${nodes}`)
  }
  if (line.isBag) {
    words.push('--network bag')
  }
  if (line.isSynchronous) {
    words.push('--timing synchronous')
  }
  if (!scope.timed) {
    words.push('--timeouts 0')
  }
  words.push(fault.options)
  if (property && property !== PROTOCOL_BUG) {
    words.push(`--property ${property}`)
  }
  return formatCommand(parseCommand(words.filter(Boolean).join(' ')))
}
