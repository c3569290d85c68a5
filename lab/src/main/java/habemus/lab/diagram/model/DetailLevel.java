package habemus.lab.diagram.model;

import habemus.world.TraceEvent;

/** How much of a run is drawn by itself. */
public enum DetailLevel {
    /** Every moment has room of its own. */
    FULL,
    /** Every step is drawn, as close to others as can be told apart. */
    DENSE,
    /** Only what matters is drawn by itself; steps and messages are counted. */
    AGGREGATED;

    private static final int MAX_FULL_SLOTS = 160;
    private static final int MAX_DENSE_STEPS = 3_000;

    static DetailLevel of(DiagramModel diagramModel) {
        if (diagramModel.timeSlots().count() <= MAX_FULL_SLOTS) {
            return FULL;
        }
        long steps = diagramModel.events().stream()
                .filter(TraceEvent.NodeStep.class::isInstance)
                .count();
        return steps <= MAX_DENSE_STEPS ? DENSE : AGGREGATED;
    }
}
