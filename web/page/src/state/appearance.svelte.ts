import { store, stored } from './storage'

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const PROJECTOR_MAGNIFICATION = 1.4

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

/** Theme and projector mode. The style sheet reads both from the root element. */
class Appearance {
  theme: Theme = $state(THEMES.find((theme) => theme === stored('theme')) ?? 'auto')
  isProjector = $state(false)
  isDarkSystem = $state(darkSystem.matches)

  /** How much larger than usual the type is. Drawings follow it. */
  get magnification(): number {
    return this.isProjector ? PROJECTOR_MAGNIFICATION : 1
  }

  constructor() {
    this.#apply()
    darkSystem.addEventListener('change', () => (this.isDarkSystem = darkSystem.matches))
    document.addEventListener('fullscreenchange', () => {
      if (!document.fullscreenElement && this.isProjector) {
        this.isProjector = false
        this.#apply()
      }
    })
  }

  choose(theme: Theme) {
    this.theme = theme
    store('theme', theme)
    this.#apply()
  }

  /** Large type on the whole screen, or back. A browser that refuses full screen still shows large type. */
  toggleProjector() {
    this.isProjector = !this.isProjector
    this.#apply()
    const change = this.isProjector
      ? document.documentElement.requestFullscreen?.()
      : document.fullscreenElement && document.exitFullscreen()
    Promise.resolve(change).catch(() => {})
  }

  #apply() {
    document.documentElement.dataset.theme = this.theme
    document.documentElement.toggleAttribute('data-projector', this.isProjector)
  }
}

export const appearance = new Appearance()

/** Whether the user asks for no movement. */
export const prefersStill = matchMedia('(prefers-reduced-motion: reduce)')
