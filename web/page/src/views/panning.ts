import type { Axis } from '../state/axis.svelte'

/** Pixels that a pointer may move and still click. */
const CLICK_DISTANCE = 5

/** Pans by dragging and by the wheel; zooms by pinching, and by the wheel with Ctrl. `onclick` gets other presses. */
export function panning(element: HTMLElement, options: { axis: Axis; onclick?: (event: PointerEvent) => void }) {
  let current = options
  const pointers = new Map<number, PointerEvent>()
  let moved = 0

  const onDown = (event: PointerEvent) => {
    if (event.button === 0) {
      moved = pointers.size > 0 ? CLICK_DISTANCE : 0
      pointers.set(event.pointerId, event)
    }
  }
  const onMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId)
    if (!before) {
      return
    }
    const dx = event.clientX - before.clientX
    moved += Math.abs(dx)
    if (pointers.size === 2) {
      const other = [...pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId)!
      const was = Math.max(10, Math.abs(before.clientX - other.clientX))
      const is = Math.max(10, Math.abs(event.clientX - other.clientX))
      const left = element.getBoundingClientRect().left
      current.axis.zoomBy(is / was, (event.clientX + other.clientX) / 2 - left)
    } else if (moved >= CLICK_DISTANCE) {
      element.setPointerCapture(event.pointerId)
      current.axis.panBy(-dx)
    }
    pointers.set(event.pointerId, event)
  }
  const onUp = (event: PointerEvent) => {
    if (pointers.delete(event.pointerId) && moved < CLICK_DISTANCE && event.type === 'pointerup') {
      current.onclick?.(event)
    }
  }
  const onWheel = (event: WheelEvent) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      current.axis.zoomBy(Math.exp(-event.deltaY / 300), event.clientX - element.getBoundingClientRect().left)
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault()
      current.axis.panBy(event.deltaX || event.deltaY)
    }
  }

  element.style.touchAction = 'pan-y'
  element.addEventListener('pointerdown', onDown)
  element.addEventListener('pointermove', onMove)
  element.addEventListener('pointerup', onUp)
  element.addEventListener('pointercancel', onUp)
  element.addEventListener('wheel', onWheel, { passive: false })
  return {
    update: (next: typeof options) => {
      current = next
    },
    destroy: () => {
      element.removeEventListener('pointerdown', onDown)
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerup', onUp)
      element.removeEventListener('pointercancel', onUp)
      element.removeEventListener('wheel', onWheel)
    },
  }
}
