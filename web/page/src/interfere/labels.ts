import { number, t, type Key } from '../i18n/text.svelte'
import type { Message, RunModel } from '../state/run-model'
import type { Cause, Fork } from './fork-tree'

const KINDS = [
  'original', 'crash', 'restart', 'amnesia', 'pause', 'resume', 'partition', 'heal', 'lose', 'duplicate', 'delay',
  'acquire', 'campaign', 'move', 'free',
] as const

/** What happens in a fork and not in its parent, such as `n2 crashes at 8.2 ms`. */
export function forkLabel(fork: Fork, timeScale: 'millis' | 'steps'): string {
  return fork.name || causeLabel(fork.cause, timeScale)
}

export function causeLabel({ kind, subject, at, by = 0 }: Cause, timeScale: 'millis' | 'steps'): string {
  const known = KINDS.find((each) => each === kind) ?? 'move'
  const key = known === 'delay' && timeScale === 'steps' ? 'delaySteps' : known
  const text = t(`fork.${key}` satisfies Key, { subject, by: number(by, 3) })
  if (known === 'original' || known === 'free') {
    return text
  }
  return timeScale === 'steps'
    ? t('fork.afterStep', { text, step: Math.round(at) })
    : t('fork.atTime', { text, time: number(at, 1) })
}

export function messageLabel(model: RunModel, message: Message): string {
  return `${message.type} ${model.name(message.sender)} → ${model.name(message.receiver)}`
}
