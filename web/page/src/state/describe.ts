import { number, t, type Key } from '../i18n/text.svelte'
import type { Run } from '../engine/protocol'
import type { Condition } from './conditions'
import type { RunModel } from './run-model'

/** A condition in a word or two, such as `holding the lock`. */
export function conditionText(model: RunModel, { kind, peers, number: term }: Condition): string {
  const key = `condition.${kind === 'holding' && model.run.problem === 'threads' ? 'inSection' : kind}` as Key
  const names = peers.map((peer) => model.name(model.indexOf(peer)) || peer).join(' ')
  return t(key, { peers: names, number: term ?? '' })
}

/** Health and role of a node, such as `paused, holding the lock`. */
export function nodeText(model: RunModel, node: number, index: number): string {
  const { role, health } = model.conditionAt(node, index)
  if (health.kind === 'up') {
    return conditionText(model, role)
  }
  const isPlain = health.kind !== 'paused' || role.kind === 'idle'
  return isPlain ? conditionText(model, health) : `${conditionText(model, health)}, ${conditionText(model, role)}`
}

/** A time of the run with its unit. */
export function timeText(model: RunModel, time: number): string {
  if (model.run.timeScale === 'steps') {
    return t('time.step', { step: Math.round(time) })
  }
  return `${number(time, 3, 3)} ms`
}

export function shortTime(model: RunModel, time: number): string {
  return model.run.timeScale === 'steps' ? String(Math.round(time)) : number(time, time < 10 ? 1 : 0)
}

/** What happened at an event, in one line. */
export function eventText(model: RunModel, index: number): string {
  const event = model.trace[index]
  if (event?.what === 'violated' || event?.what === 'not-guaranteed') {
    const { property } = event
    const sentence = model.run.properties.find(({ name }) => name === property)?.sentence ?? ''
    return t(`event.${event.what}`, { property, sentence })
  }
  const text = event?.text?.map(withoutTime).join(' · ')
  return text || (event?.what === 'started' ? t('event.start') : t('event.unnamed', { what: event?.what ?? '' }))
}

/** How a run ended, in a sentence. An imported trace does not say it. */
export function endText({ end, endAt, timeScale, steps }: Run): string {
  if (endAt === undefined) {
    return ''
  }
  const after = t(timeScale === 'steps' ? 'end.steps' : 'end.time', { time: number(endAt), steps: number(steps ?? 0) })
  return t(`end.${end}`, { after })
}

/** A line of the trace without its time, the mark of an event of several nodes, and the padding of columns. */
function withoutTime(line: string): string {
  return line
    .replace(/^\s*([\d.]+ ms|step \d+)\s+/, '')
    .replace(/^[*x]\s+/, '')
    .replace(/^(\S+)\s{2,}/, '$1 ')
    .replace(/\s{2,}/g, ' · ')
}
