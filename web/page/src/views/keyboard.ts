import type { Player } from '../state/player.svelte'

/** The keys of a run, for the help: key and the key of its text. */
export const KEYS = [
  ['␣', 'keys.play'],
  ['← →', 'keys.step'],
  ['Home End', 'keys.ends'],
  ['N  ⇧N', 'keys.node'],
  ['1 … 9', 'keys.select'],
  ['+ −', 'keys.speed'],
  ['P', 'keys.pin'],
  ['Esc', 'keys.release'],
  ['I', 'keys.interfere'],
  ['Ctrl+Z', 'keys.undo'],
  ['?', 'keys.help'],
] as const

/** Moves the cursor by a key, unless the key belongs to a control that has the focus. Returns whether it did. */
export function handleKey(event: KeyboardEvent, player: Player, nodes: number): boolean {
  const target = event.target as HTMLElement
  const isTyping = target.closest('input:not([type=range]):not([type=checkbox]), select, textarea, dialog') !== null
  if (event.defaultPrevented || isTyping || event.ctrlKey || event.metaKey || event.altKey) {
    return false
  }
  const action = actionOf(event, player, nodes)
  if (!action) {
    return false
  }
  event.preventDefault()
  action()
  return true
}

function actionOf(event: KeyboardEvent, player: Player, nodes: number): (() => void) | undefined {
  const isOnButton = (event.target as HTMLElement).closest('button, summary, a, [role=button]') !== null
  switch (event.key) {
    case ' ':
      return isOnButton ? undefined : () => player.toggle()
    case 'ArrowLeft':
      return () => player.step(-1)
    case 'ArrowRight':
      return () => player.step(1)
    case 'Home':
      return () => player.toStart()
    case 'End':
      return () => player.toEnd()
    case 'n':
      return () => player.stepNode(1)
    case 'N':
      return () => player.stepNode(-1)
    case '+':
    case '=':
      return () => player.changeSpeed(1)
    case '-':
      return () => player.changeSpeed(-1)
    case 'p':
      return () => player.pin(player.index)
    case 'Escape':
      return player.pinned >= 0 ? () => (player.pinned = -1) : undefined
  }
  const digit = Number(event.key)
  return digit >= 1 && digit <= Math.min(9, nodes) ? () => (player.node = digit - 1) : undefined
}
