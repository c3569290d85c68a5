/** Choices that outlive the page. A browser may refuse storage, over file:// for example. */

export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`habemus.${name}`)
  } catch {
    return null
  }
}

export function store(name: string, value: string) {
  try {
    localStorage.setItem(`habemus.${name}`, value)
  } catch {
    // The choice holds until the page closes.
  }
}
