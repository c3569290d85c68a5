/** The documents of `compare`, `quorum` and `timeout`: as the commands of these names print them with `--json`. */
import type { Problem } from './protocol'

export interface QuorumRow {
  m: number
  /** The probability that two nodes hold the lock. */
  violation: number
  /** The probability that too few coordinators are up. */
  blocked: number
  toleratedCrashes: number
}

export interface QuorumReport extends QuorumRow {
  n: number
  p: number
  down: number
  /** From the majority to n. */
  byQuorum: QuorumRow[]
  /** If the request has `runs`. */
  simulated?: { violation: number; low: number; high: number; confidence: number; runs: number; violated: number }
}

export interface TimeoutReport {
  waiting: number
  mistake: number
  /** The timeout with the lowest cost, in milliseconds. */
  timeout: number
  /** The probability that a reply takes longer. */
  late: number
  cost: number
  simulated?: { runs: number; mistakes: number; late: number; low: number; high: number; confidence: number; recovery: number }
  /** From 0 to beyond the best timeout, in rising order. */
  curve: { timeout: number; late: number; waitingCost: number; mistakeCost: number }[]
  percentiles: { fraction: number; millis: number; cost: number }[]
}

export interface ExpectedCost {
  what: string
  formula: string
  expected: number
  measured: string
  agrees: boolean
}

/** A measure is missing if the algorithm cannot be measured so. */
export interface MeasuredCost {
  messagesAlone?: number
  messages?: number
  messagesOff?: number
  clientDelay?: number
  handoverDelay?: number
  rounds?: number
  maxMessageSize?: number
  busiestShare?: number
}

export interface ComparisonRow {
  algorithm: string
  n: number
  measured: MeasuredCost
  expected: ExpectedCost[]
  agrees: boolean
}

export interface ComparisonReport {
  problem: Problem
  rows: ComparisonRow[]
}
