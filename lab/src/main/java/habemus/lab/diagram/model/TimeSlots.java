package habemus.lab.diagram.model;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of a diagram. Events of the same time share a slot, unless one depends on another. Two steps of one node
 * do so, or the sending of a message and its receipt.
 */
public final class TimeSlots {

    private final int[] slotByIndex;
    private final List<Long> times;

    private TimeSlots(int[] slotByIndex, List<Long> times) {
        this.slotByIndex = slotByIndex;
        this.times = times;
    }

    public static TimeSlots of(List<TraceEvent> events) {
        var slotByIndex = new int[events.size()];
        var times = new ArrayList<Long>();
        var busy = new HashSet<NodeId>();
        var sentNumbers = new HashSet<Long>();
        for (int i = 0; i < slotByIndex.length; i++) {
            var event = events.get(i);
            boolean later = times.isEmpty() || event.at() != times.get(times.size() - 1);
            if (later || dependsOnSlot(event, busy, sentNumbers)) {
                times.add(event.at());
                busy.clear();
                sentNumbers.clear();
            }
            slotByIndex[i] = times.size() - 1;
            addToSlot(event, busy, sentNumbers);
        }
        return new TimeSlots(slotByIndex, times);
    }

    private static boolean dependsOnSlot(TraceEvent traceEvent, Set<NodeId> busy, Set<Long> sentNumbers) {
        return switch (traceEvent) {
            case TraceEvent.Started started -> busy.contains(started.node());
            case TraceEvent.Step step -> busy.contains(step.node()) || sentNumbers.contains(step.messageNumber());
            case TraceEvent.AppMessageReceived appMessageReceived ->
                sentNumbers.contains(appMessageReceived.message().number());
            case TraceEvent.FaultInjected(var at, Fault.Crash(var node)) -> busy.contains(node);
            case TraceEvent.FaultInjected(var at, Fault.Pause(var node)) -> busy.contains(node);
            default -> false;
        };
    }

    private static void addToSlot(TraceEvent traceEvent, Set<NodeId> busy, Set<Long> sentNumbers) {
        switch (traceEvent) {
            case TraceEvent.NodeStep nodeStep
            when !isUneventful(nodeStep) -> {
                busy.add(nodeStep.node());
                nodeStep.sent().stream().map(InFlightMessage::number).forEach(sentNumbers::add);
            }
            case TraceEvent.AppMessageSent appMessageSent ->
                sentNumbers.add(appMessageSent.message().number());
            case TraceEvent.FaultInjected(var at, Fault.Crash(var node)) -> busy.add(node);
            case TraceEvent.FaultInjected(var at, Fault.Pause(var node)) -> busy.add(node);
            default -> {}
        }
    }

    /** Whether the step is a first start that sends nothing, which diagrams do not show. */
    public static boolean isUneventful(TraceEvent.NodeStep nodeStep) {
        return nodeStep instanceof TraceEvent.Started started
                && started.how() == TraceEvent.Start.FIRST
                && started.sent().isEmpty();
    }

    public int count() {
        return times.size();
    }

    /** The time of a slot, in microseconds. */
    public long at(int slot) {
        return times.get(slot);
    }

    /** The slot of the event with this index. The number of events gives one more slot, the end of the diagram. */
    public int slotOf(int index) {
        return index < slotByIndex.length ? slotByIndex[index] : times.size();
    }
}
