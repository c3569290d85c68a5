/** A canvas knows no variables of the style sheet. */
export type Colours = (name: string) => string

/** The colours of the current theme. */
export function currentColours(): Colours {
  const probe = document.createElement('i')
  probe.hidden = true
  document.body.append(probe)
  const style = getComputedStyle(probe)
  const known = new Map<string, string>()
  const names = [
    'surface', 'line', 'line-strong', 'ink', 'muted', 'accent', 'on-accent', 'idle', 'waiting', 'holding', 'leading',
    'down', 'paused', 'broken', 'waiting-ink', 'holding-ink', 'leading-ink', 'waiting-soft',
    ...[0, 1, 2, 3, 4, 5].map((number) => `message-${number}`),
  ]
  for (const name of names) {
    probe.style.color = `var(--${name})`
    known.set(name, style.color)
  }
  probe.remove()
  return (name) => known.get(name) ?? 'gray'
}
