/** A guided tour of a scenario: the events of a run that a story speaks of. */
import type { Problem, Run, TraceEvent } from '../engine/protocol'
import { t, type Language } from '../i18n/text.svelte'
import type { RunModel } from './run-model'

export interface RecordedRun {
  notes: string[]
  command: string
  /** The lines of the summary, without events. */
  outcome: string[]
}

export interface Story {
  title: string
  problem: Problem
  story: string[]
  runs: RecordedRun[]
  pt: { title: string; story: string[]; notes: string[][] }
}

export type Stories = Record<string, Story>

/** The story in this language. Commands and outcomes are as recorded. */
export function translated(story: Story, language: Language): Story {
  if (language === 'en') {
    return story
  }
  const { title, story: lines, notes } = story.pt
  return { ...story, title, story: lines, runs: story.runs.map((run, i) => ({ ...run, notes: notes[i] })) }
}

export interface TourStop {
  /** The event of the trace. */
  index: number
  title: string
  isBad: boolean
}

const DROPPED = 6

/** Where the tour stops: the start, grants, elections, faults, violations, the end. */
export function stopsOf(model: RunModel): TourStop[] {
  const stops: TourStop[] = [{ index: model.first, title: t('gallery.stop.start'), isBad: false }]
  const outcomes = model.trace.filter((event) => event.what === 'message-outcome').length
  model.trace.forEach((event, index) => {
    const title = titleOf(model, event, outcomes <= DROPPED)
    if (title && index > model.first) {
      stops.push({ index, title, isBad: event.what === 'violated' })
    }
  })
  const last = { index: model.last, title: t('gallery.stop.end'), isBad: false }
  return merged([...stops, last])
}

/** Stops at the same event are one. */
function merged(stops: TourStop[]): TourStop[] {
  const result: TourStop[] = []
  for (const stop of stops) {
    const before = result.at(-1)
    if (before && before.index === stop.index) {
      before.title = `${before.title}; ${stop.title}`
      before.isBad ||= stop.isBad
    } else {
      result.push({ ...stop })
    }
  }
  return result
}

function titleOf(model: RunModel, event: TraceEvent, withDropped: boolean): string {
  const name = (node: unknown) => model.name(model.indexOf(String(node))) || String(node)
  switch (event.what) {
    case 'step':
    case 'started': {
      const effects = event.effects.map((effect) => {
        if (effect.type === 'Grant') {
          return t('gallery.stop.grant', { node: name(event.node) })
        }
        if (effect.type === 'Elected' && effect.leader === event.node) {
          return t('gallery.stop.leader', { node: name(event.node) })
        }
        const lost = model.run.problem === 'mutex' ? 'gallery.stop.lost' : 'gallery.stop.noLeader'
        return effect.type === 'Lost' ? t(lost, { node: name(event.node) }) : ''
      })
      const restarted = event.what === 'started' && event.how !== 'FIRST' ? [t('gallery.stop.restart', { node: name(event.node) })] : []
      return [...restarted, ...effects.filter(Boolean)].join('; ')
    }
    case 'fault-injected':
      return event.fault.type === 'Crash' ? t('gallery.stop.crash', { node: name(event.fault.node) }) : t('gallery.stop.fault')
    case 'violated':
      return t('gallery.stop.violated', { property: event.property })
    case 'not-guaranteed':
      return t('gallery.stop.untrue', { property: event.property })
    case 'message-outcome':
      return withDropped ? t('gallery.stop.dropped') : ''
    default:
      return ''
  }
}

/** Lines as paragraphs: an empty line ends one. */
export function paragraphs(lines: string[]): string[] {
  return lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\n/g, ' ').trim())
    .filter(Boolean)
}

/** Whether a run ends as recorded: its summary has every line or, if it has none, its verdicts are the same. */
export function hasRecordedOutcome(run: Run, outcome: string[]): boolean {
  const summary = new Set((run.summary ?? []).map(spaced))
  if (summary.size > 0) {
    return outcome.every((line) => summary.has(spaced(line)))
  }
  return run.properties.every(({ name, verdict, answer, required }) => {
    const line = outcome.find((each) => each.startsWith(`${name} `))
    return !line || spaced(line).startsWith(`${name} ${required ? verdict : `not guaranteed (here: ${answer})`}`)
  })
}

const spaced = (line: string) => line.trim().replace(/\s+/g, ' ')
