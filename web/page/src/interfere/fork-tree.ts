/**
 * The runs that a user made of one run by interfering. Each is a command line, and knows the run that it was forked from.
 *
 * The address keeps them as `f`: one row a run, the first one is the original.
 */

/** What made a fork different from its parent. The text of it depends on the language. */
export interface Cause {
  kind: string
  /** The node, the nodes or the message. */
  subject: string
  /** The time of the cursor. */
  at: number
  /** By how much a message is delayed: in milliseconds, or in steps if the run is given step by step. */
  by?: number
}

export interface Fork {
  /** An index of the tree; -1 for the original. */
  parent: number
  command: string
  cause: Cause
  /** What the user calls it; empty: the text of its cause. */
  name: string
}

export type ForkTree = Fork[]

const NO_CAUSE: Cause = { kind: 'original', subject: '', at: 0 }

export function treeOf(command: string): ForkTree {
  return [{ parent: -1, command, cause: NO_CAUSE, name: '' }]
}

/** Adds a fork. If the tree has a run with this command already, it stays as it is. */
export function addFork(tree: ForkTree, parent: number, command: string, cause: Cause): ForkTree {
  return indexOf(tree, command) >= 0 ? tree : [...tree, { parent, command, cause, name: '' }]
}

/** Gives a run another command, as when a run that is chosen move by move grows. */
export function withCommand(tree: ForkTree, index: number, command: string): ForkTree {
  return indexOf(tree, command) >= 0 ? tree : tree.map((fork, i) => (i === index ? { ...fork, command } : fork))
}

export function renamed(tree: ForkTree, index: number, name: string): ForkTree {
  return tree.map((fork, i) => (i === index ? { ...fork, name: name.trim() } : fork))
}

/** Deletes a fork with its own forks. The original stays. */
export function withoutFork(tree: ForkTree, index: number): ForkTree {
  if (index <= 0) {
    return tree
  }
  const removed = new Set([index])
  tree.forEach((fork, i) => removed.has(fork.parent) && removed.add(i))
  const places = new Map<number, number>()
  tree.forEach((_, i) => !removed.has(i) && places.set(i, places.size))
  return tree
    .filter((_, i) => !removed.has(i))
    .map((fork) => ({ ...fork, parent: places.get(fork.parent) ?? -1 }))
}

export function indexOf(tree: ForkTree, command: string): number {
  return tree.findIndex((fork) => fork.command === command)
}

/** Whether one run is an ancestor of another, or the same. */
export function isWithin(tree: ForkTree, index: number, ancestor: number): boolean {
  return index === ancestor || (index > 0 && isWithin(tree, tree[index].parent, ancestor))
}

/** The runs from the top to the bottom of the drawn tree, with their depth. */
export function rowsOf(tree: ForkTree): { index: number; depth: number }[] {
  const below = (parent: number, depth: number): { index: number; depth: number }[] =>
    tree.flatMap((fork, index) => (fork.parent === parent ? [{ index, depth }, ...below(index, depth + 1)] : []))
  return below(-1, 0)
}

/** The tree as a parameter of the address: empty if there are no forks. */
export function formatTree(tree: ForkTree): string {
  const rows = tree.map(({ parent, command, cause, name }) => {
    const { kind, subject, at, by } = cause
    return [parent, command, kind, subject, at, by ?? 0, name]
  })
  return tree.length > 1 ? JSON.stringify(rows) : ''
}

/** Reads a parameter of the address, or returns null if it is not a tree. */
export function parseTree(text: string): ForkTree | null {
  try {
    const rows = JSON.parse(text) as unknown
    return Array.isArray(rows) && rows.length > 0 ? rows.map(parseRow) : null
  } catch {
    return null
  }
}

function parseRow(row: unknown, index: number): Fork {
  const [parent, command, kind, subject, at, by, name] = row as [number, string, string, string, number, number, string]
  const isKnown = typeof command === 'string' && Number.isInteger(parent) && parent < index && parent >= (index ? 0 : -1)
  if (!isKnown) {
    throw new Error(`row ${index} of the tree of runs is not a fork`)
  }
  const cause = { kind: String(kind), subject: String(subject ?? ''), at: Number(at) || 0, ...(by && { by: Number(by) }) }
  return { parent, command, cause, name: String(name ?? '') }
}
