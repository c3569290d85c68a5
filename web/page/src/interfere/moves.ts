import { optionValue, parseCommand, withOption, formatCommand } from '../state/command'

/** Runs that are given move by move: `--moves 1request.2from1`. */

export function movesOf(command: string): string[] | null {
  const value = optionValue(parseCommand(command), '--moves')
  return value === undefined ? null : value.split('.').filter(Boolean)
}

/** The command of the run as far as a step. Starts of nodes are no steps. */
export function commandUntil(command: string, step: number): string {
  let steps = 0
  const moves = (movesOf(command) ?? []).filter((move) => isStart(move) || ++steps <= step)
  return formatCommand(withOption(parseCommand(command), '--moves', moves.join('.')))
}

/** The command without its last move, or null if it has none. */
export function withoutLastMove(command: string): string | null {
  const steps = (movesOf(command) ?? []).filter((move) => !isStart(move)).length
  return steps === 0 ? null : commandUntil(command, steps - 1)
}

function isStart(move: string): boolean {
  return /^\d+start/.test(move)
}
