package habemus.lab.diagram.model;

import habemus.lab.trace.Recording;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.PeriodicMessage;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import java.util.List;

/**
 * Everything that a diagram shows of a run, derived from its trace events.
 *
 * @param omittedSlots how many time slots at the end are not shown
 */
public record DiagramModel(
        Recording recording,
        TimeSlots timeSlots,
        List<ConditionInterval> intervals,
        List<OverlapInterval> overlaps,
        List<MessageArrow> arrows,
        List<CutInterval> cutIntervals,
        int omittedSlots) {

    /** The model of the first time slots of a run. */
    public static DiagramModel of(Recording recording, int maxSlots) {
        var all = TimeSlots.of(recording.events());
        int end = 0;
        while (end < recording.events().size() && all.slotOf(end) < maxSlots) {
            end++;
        }
        var shown = recording.until(end);
        var intervals = ConditionIntervals.of(shown);
        return new DiagramModel(
                shown,
                TimeSlots.of(shown.events()),
                intervals,
                OverlapInterval.of(intervals, isLog(shown)),
                MessageArrows.of(shown.events()),
                CutInterval.of(shown.events()),
                Math.max(0, all.count() - maxSlots));
    }

    private static boolean isLog(Recording recording) {
        return recording.events().stream()
                .anyMatch(event -> event instanceof TraceEvent.Observed observed
                        && observed.event() instanceof ObservableEvent.LogChanged);
    }

    public static DiagramModel of(Recording recording) {
        return of(recording, Integer.MAX_VALUE);
    }

    public DetailLevel detailLevel() {
        return DetailLevel.of(this);
    }

    public List<NodeId> nodes() {
        return recording.nodes();
    }

    public List<TraceEvent> events() {
        return recording.events();
    }

    /** Whether the run is an election rather than mutual exclusion. */
    public boolean isElection() {
        return events().stream()
                .anyMatch(event -> event instanceof TraceEvent.Step step && step.event() instanceof Event.Campaign
                        || event instanceof TraceEvent.NodeStep nodeStep
                                && nodeStep.effects().stream().anyMatch(Effect.Elected.class::isInstance));
    }

    /** Whether the run has heartbeats or suspicions and is not an election. */
    public boolean isDetector() {
        return !isElection()
                && (arrows().stream()
                                .anyMatch(arrow -> PeriodicMessage.isPeriodic(
                                        arrow.inFlightMessage().message()))
                        || intervals.stream()
                                .anyMatch(interval -> interval.condition() instanceof NodeCondition.Suspecting));
    }

    public List<ConditionInterval> intervalsOf(NodeId node) {
        return intervals.stream()
                .filter(interval -> interval.node().equals(node))
                .toList();
    }
}
