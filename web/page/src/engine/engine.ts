import type { ComparisonReport, QuorumReport, TimeoutReport } from './analysis'
import type { Language } from '../i18n/text.svelte'
import { whileRunning } from './activity'
import { Connection } from './connection'
import type {
  Catalogue,
  CheckProgress,
  CheckReport,
  Choices,
  Drawing,
  DrawingKind,
  Failure,
  Forked,
  Intervention,
  Json,
  Run,
} from './protocol'
import { documentSource } from './source'

/** A command that the engine refuses, with a hint what to write instead. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

/** A check that runs in a worker of its own. */
export interface RunningCheck {
  result: Promise<CheckReport>
  /** Ends the check. The result is then rejected with a StoppedError. */
  stop(): void
}

export class StoppedError extends Error {}

let shared: Connection | undefined

function connection(): Connection {
  shared ??= new Connection()
  return shared
}

function ask<T>(method: string, ...args: string[]): Promise<T> {
  return whileRunning(connection().call(method, args).then(parse<T>))
}

function parse<T>(text: string): T {
  const document = JSON.parse(text) as T | Failure
  if (document !== null && typeof document === 'object' && 'error' in document) {
    throw new CommandError(document.error, document.hint ?? '')
  }
  return document as T
}

/** Reads a document of the data beside the engine, such as `sources`. */
function data<T>(name: string): Promise<T> {
  return whileRunning(read<T>(name))
}

async function read<T>(name: string): Promise<T> {
  const source = documentSource(name)
  if ('packed' in source) {
    return JSON.parse(await connection().call('unpack', [source.packed])) as T
  }
  const response = await fetch(source.address)
  if (!response.ok) {
    throw new Error(`could not read ${response.url}: ${response.status}`)
  }
  return (await response.json()) as T
}

/** What a user reads in a catalogue. All other texts are names. */
const TEXTS = new Set(['summary', 'sentence', 'help'])

function translated(catalogue: Catalogue, texts: Record<string, string>): Catalogue {
  const json = JSON.stringify(catalogue, (key, value) => (TEXTS.has(key) ? (texts[value] ?? value) : value))
  return JSON.parse(json) as Catalogue
}

/** The sentences of the properties by their names. */
export function sentencesOf(catalogue: Catalogue | null): Record<string, string> {
  return Object.fromEntries(catalogue?.properties.map(({ name, sentence }) => [name, sentence]) ?? [])
}

const GIBIBYTE = 2 ** 30

/**
 * How many bytes the tables of a check may take. Beyond its limit, a browser ends the whole page. Not every browser tells
 * its limit. A table that grows is there twice for a while.
 */
function checkMemory(): number {
  const { jsHeapSizeLimit = 4 * GIBIBYTE } = (performance as { memory?: { jsHeapSizeLimit?: number } }).memory ?? {}
  const { deviceMemory = 8 } = navigator as { deviceMemory?: number }
  return Math.floor(Math.min(GIBIBYTE, jsHeapSizeLimit / 4, (deviceMemory * GIBIBYTE) / 8))
}

/** The engine's functions as promises. Every one rejects with a CommandError if the engine refuses its command. */
export const engine = {
  async catalogue(language: Language): Promise<Catalogue> {
    const catalogue = await ask<Catalogue>('catalogue')
    return language === 'pt' ? translated(catalogue, await data('portuguese')) : catalogue
  },
  run: (commandLine: string) => ask<Run>('run', commandLine),
  fork: (commandLine: string, cursor: number, intervention: Intervention) =>
    ask<Forked>('fork', commandLine, String(cursor), JSON.stringify(intervention)),
  choices: (commandLine: string) => ask<Choices>('choices', commandLine),
  toMoves: (commandLine: string) => ask<Forked>('toMoves', commandLine),
  draw: (commandLine: string, kind: DrawingKind) => ask<Drawing>('draw', commandLine, kind),
  importTrace: (text: string) => ask<Run>('importTrace', text),
  compare: (request: Json) => ask<ComparisonReport>('compare', JSON.stringify(request)),
  quorum: (request: Json) => ask<QuorumReport>('quorum', JSON.stringify(request)),
  timeout: (request: Json) => ask<TimeoutReport>('timeout', JSON.stringify(request)),
  data,

  check(commandLine: string, onProgress: (progress: CheckProgress) => void): RunningCheck {
    const checker = new Connection()
    let isStopped = false
    const check = checker.call('check', [commandLine, String(checkMemory())], (text) => onProgress(JSON.parse(text) as CheckProgress))
    const result = whileRunning(check.then(parse<CheckReport>))
      .catch((error: unknown) => {
        throw isStopped ? new StoppedError('stopped') : error
      })
      .finally(() => checker.close())
    return {
      result,
      stop: () => {
        isStopped = true
        checker.close()
      },
    }
  },
}
