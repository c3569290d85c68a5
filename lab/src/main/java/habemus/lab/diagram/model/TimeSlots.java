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
 * The instants of a run as a picture tells them apart. Lines of one time share a moment, unless one follows from
 * another: two steps of one node, or the sending of a message and its receipt.
 */
public final class TimeSlots {

    private final int[] slotByIndex;
    private final List<Long> times;

    private TimeSlots(int[] ofLine, List<Long> times) {
        this.slotByIndex = ofLine;
        this.times = times;
    }

    public static TimeSlots of(List<TraceEvent> lines) {
        var ofLine = new int[lines.size()];
        var times = new ArrayList<Long>();
        var busy = new HashSet<NodeId>();
        var sentNumbers = new HashSet<Long>();
        for (int i = 0; i < ofLine.length; i++) {
            var line = lines.get(i);
            boolean later = times.isEmpty() || line.at() != times.get(times.size() - 1);
            if (later || follows(line, busy, sentNumbers)) {
                times.add(line.at());
                busy.clear();
                sentNumbers.clear();
            }
            ofLine[i] = times.size() - 1;
            record(line, busy, sentNumbers);
        }
        return new TimeSlots(ofLine, times);
    }

    private static boolean follows(TraceEvent line, Set<NodeId> busy, Set<Long> sentNumbers) {
        return switch (line) {
            case TraceEvent.Started started -> busy.contains(started.node());
            case TraceEvent.Step step -> busy.contains(step.node()) || sentNumbers.contains(step.messageNumber());
            case TraceEvent.AppMessageReceived appMessageReceived ->
                sentNumbers.contains(appMessageReceived.message().number());
            case TraceEvent.FaultInjected(var at, Fault.Crash(var node)) -> busy.contains(node);
            case TraceEvent.FaultInjected(var at, Fault.Pause(var node)) -> busy.contains(node);
            default -> false;
        };
    }

    private static void record(TraceEvent line, Set<NodeId> busy, Set<Long> sentNumbers) {
        switch (line) {
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

    /** Whether nothing is seen of it: every node starts once. */
    public static boolean isUneventful(TraceEvent.NodeStep nodeStep) {
        return nodeStep instanceof TraceEvent.Started started
                && started.how() == TraceEvent.Start.FIRST
                && started.sent().isEmpty();
    }

    public int count() {
        return times.size();
    }

    public long at(int moment) {
        return times.get(moment);
    }

    /** The moment of a line; after the last line comes one more, the end of the picture. */
    public int of(int line) {
        return line < slotByIndex.length ? slotByIndex[line] : times.size();
    }
}
