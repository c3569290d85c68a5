/** The views of a run, in the order of their tabs. */
export const VIEWS = ['topology', 'spacetime', 'gantt', 'state', 'events', 'source'] as const
export type ViewName = (typeof VIEWS)[number]

/** Reads the views of an address, such as `topology.events`. */
export function parseViews(text: string | undefined): ViewName[] {
  const named = text?.split('.') ?? []
  const views = VIEWS.filter((view) => named.includes(view))
  return views.length > 0 ? views : [...VIEWS]
}

/** The views as an address has them: empty for all of them. */
export function formatViews(views: ViewName[]): string {
  return views.length === VIEWS.length ? '' : VIEWS.filter((view) => views.includes(view)).join('.')
}
