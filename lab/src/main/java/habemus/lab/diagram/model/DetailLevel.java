package habemus.lab.diagram.model;

import habemus.world.TraceEvent;

/** How much detail a diagram shows. Long runs get less. */
public enum DetailLevel {
    /** Every time slot has its own column. */
    FULL,
    /** Every step is drawn, as close to its neighbours as the eye can separate. */
    DENSE,
    /** Only elections, losses, restarts and crashes are drawn; steps and messages are counted. */
    AGGREGATED;

    private static final int MAX_FULL_SLOTS = 160;
    private static final int MAX_DENSE_STEPS = 3_000;

    static DetailLevel of(DiagramModel model) {
        if (model.timeSlots().count() <= MAX_FULL_SLOTS) {
            return FULL;
        }
        long steps = model.events().stream()
                .filter(TraceEvent.NodeStep.class::isInstance)
                .count();
        return steps <= MAX_DENSE_STEPS ? DENSE : AGGREGATED;
    }
}
