package habemus.lab.diagram.model;

import habemus.lab.trace.Recording;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.PeriodicMessage;
import habemus.world.TraceEvent;
import java.util.List;

/** What all pictures of a run have in common: everything that is derived from its lines. */
public record DiagramModel(
        Recording recording,
        TimeSlots timeSlots,
        List<ConditionInterval> conditionIntervals,
        List<OverlapInterval> overlapIntervals,
        List<MessageArrow> messageArrows,
        List<CutInterval> cutIntervals,
        int omittedSlots) {

    /** Of a run that is longer, only the first moments are shown. */
    public static DiagramModel of(Recording recording, int mostMoments) {
        var all = TimeSlots.of(recording.events());
        int end = 0;
        while (end < recording.events().size() && all.of(end) < mostMoments) {
            end++;
        }
        var shown = new Recording(
                recording.title(), recording.nodes(), recording.events().subList(0, end));
        var conditionIntervals = ConditionIntervals.of(shown);
        return new DiagramModel(
                shown,
                TimeSlots.of(shown.events()),
                conditionIntervals,
                OverlapInterval.of(conditionIntervals),
                MessageArrows.of(shown.events()),
                CutInterval.of(shown.events()),
                Math.max(0, all.count() - mostMoments));
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

    /** Whether it is about who leads, rather than who is inside. */
    public boolean isElection() {
        return events().stream()
                .anyMatch(line -> line instanceof TraceEvent.Step step && step.event() instanceof Event.Campaign
                        || line instanceof TraceEvent.NodeStep nodeStep
                                && nodeStep.effects().stream().anyMatch(Effect.Elected.class::isInstance));
    }

    /** Whether it has heartbeats or suspicions, and is no election. */
    public boolean isDetector() {
        return !isElection()
                && (messageArrows().stream()
                                .anyMatch(messageArrow -> PeriodicMessage.isPeriodic(
                                        messageArrow.inFlightMessage().message()))
                        || conditionIntervals.stream()
                                .anyMatch(conditionInterval ->
                                        conditionInterval.nodeCondition() instanceof NodeCondition.Suspecting));
    }

    public List<ConditionInterval> intervalsOf(NodeId node) {
        return conditionIntervals.stream()
                .filter(conditionInterval -> conditionInterval.node().equals(node))
                .toList();
    }
}
