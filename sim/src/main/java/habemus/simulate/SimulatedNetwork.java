package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.world.CausalityTracker;
import habemus.world.InFlightMessage;
import habemus.world.MessageFault;
import habemus.world.Problem;
import habemus.world.SeededRandom;
import habemus.world.TraceEvent;
import habemus.world.TraceEvent.Fate;
import habemus.world.Workload.Chatter;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages between the nodes. A message travels bare if the run is neither traced nor monitored for
 * happened-before order, and no single message has a fault. Otherwise it travels as a {@link TrackedMessage}, with its
 * number and vector clock.
 */
final class SimulatedNetwork {

    /** A message with its number and, if happened-before is monitored, the sender's vector clock. */
    private static final class TrackedMessage {
        final InFlightMessage inFlightMessage;
        final int @Nullable [] clock;
        List<MessageFault> faults = List.of();
        boolean isDuplicationOpen; // not in the trace yet

        TrackedMessage(InFlightMessage inFlightMessage, int @Nullable [] clock) {
            this.inFlightMessage = inFlightMessage;
            this.clock = clock;
        }
    }

    /** In larger worlds, messages to nodes that are not neighbours are not detected. */
    private static final int MAX_CHECKED_NODES = 1_000;

    private final LinkModel links;
    private final RunRecorder recorder;
    private final TimingWheel timingWheel;
    private final boolean sharedAppLinks;
    private final NodeSet @Nullable [] neighbours;
    private final @Nullable CausalityTracker causality;
    private final MessageFaults messageFaults;
    private final boolean tracksMessages;
    private final List<InFlightMessage> sent = new ArrayList<>();
    private NodeId[] ids = {};
    private int @Nullable [] clock; // of the current step
    private long lastNumber;

    SimulatedNetwork(World world, Problem problem, SeededRandom random, RunRecorder recorder, TimingWheel timingWheel) {
        this.recorder = recorder;
        this.timingWheel = timingWheel;
        links = new LinkModel(world, random);
        sharedAppLinks = world.workload().chatter() == Chatter.SHARED_LINKS;
        int highest = world.topology().highestNumber();
        boolean causal = problem == Problem.MUTEX && highest <= CausalityTracker.MAX_NODES && recorder.hasMonitors();
        causality = causal ? new CausalityTracker(highest) : null;
        messageFaults = new MessageFaults(world.messageFaults());
        tracksMessages = causal || recorder.isTracing() || !messageFaults.isEmpty();
        neighbours = highest <= MAX_CHECKED_NODES ? neighbours(world, highest) : null;
    }

    private static NodeSet[] neighbours(World world, int highest) {
        var sets = new NodeSet[highest + 1];
        world.topology()
                .nodes()
                .forEach(id ->
                        sets[id.number()] = world.topology().neighbourhood(id).peers());
        return sets;
    }

    void setNodes(NodeId[] nodes) {
        ids = nodes;
    }

    LinkModel links() {
        return links;
    }

    void beginStep() {
        clock = null;
    }

    /** The messages sent since the last call. */
    List<InFlightMessage> drainSent() {
        var drained = List.copyOf(sent);
        sent.clear();
        return drained;
    }

    void send(int from, int to, Object message, long event) {
        if (to >= ids.length || ids[to] == null || neighbours != null && !neighbours[from].contains(ids[to])) {
            throw new ProtocolBug("a message to n" + to + ", which is not a neighbour,", ids[from]);
        }
        recorder.count(message);
        Object payload = message;
        if (tracksMessages) {
            var inFlightMessage = new InFlightMessage(++lastNumber, ids[from], ids[to], message);
            if (recorder.isTracing()) {
                sent.add(inFlightMessage);
            }
            payload = new TrackedMessage(inFlightMessage, clock(from));
        }
        if (isCut(from, to)) {
            recordOutcome(payload, Fate.PARTITIONED);
        } else if (links.drawLoss()) {
            recordOutcome(payload, Fate.LOST);
        } else {
            var faults = messageFaults.isEmpty() ? List.<MessageFault>of() : faults((TrackedMessage) payload);
            long arrival = transmit(from, to, event, payload, faults);
            if (links.drawDuplication()) {
                recordOutcome(payload, Fate.DUPLICATED);
                transmit(from, to, event, payload, faults);
            }
            if (payload instanceof TrackedMessage tracked && tracked.isDuplicationOpen) {
                transmitCopy(from, to, event, tracked, arrival);
            }
        }
    }

    private List<MessageFault> faults(TrackedMessage tracked) {
        tracked.faults = messageFaults.onSend(tracked.inFlightMessage.number());
        tracked.isDuplicationOpen = tracked.faults.stream().anyMatch(MessageFault.Duplication.class::isInstance);
        return tracked.faults;
    }

    private long transmit(int from, int to, long event, Object payload, List<MessageFault> faults) {
        long due = timingWheel.now() + links.delay(from, to) + MessageFaults.delayMicros(faults);
        long arrival = links.inOrder(due, from, to);
        timingWheel.schedule(arrival, event, payload);
        return arrival;
    }

    private void transmitCopy(int from, int to, long event, TrackedMessage tracked, long arrival) {
        long delay = links.copyDelay(tracked.inFlightMessage.number(), from, to);
        long due = Math.max(arrival, timingWheel.now() + delay + MessageFaults.delayMicros(tracked.faults));
        timingWheel.schedule(links.inOrder(due, from, to), event, tracked);
    }

    /** The faults of single messages whose message was never in flight. */
    List<MessageFault> faultsWithoutEffect() {
        return messageFaults.withoutEffect();
    }

    private boolean isCut(int from, int to) {
        return links.hasCuts() && links.isCut(ids[from], ids[to]);
    }

    private int @Nullable [] clock(int from) {
        if (clock == null && causality != null) {
            clock = causality.onSend(from);
        }
        return clock;
    }

    /** Returns whether the message is delivered. A cut drops messages when they are sent and when they arrive. */
    boolean admitArrival(Object payload, int from, int to) {
        recordDuplication(payload);
        if (isCut(from, to)) {
            recordOutcome(payload, Fate.PARTITIONED);
            return false;
        }
        if (isLost(payload)) {
            recordOutcome(payload, Fate.LOST);
            return false;
        }
        if (causality != null && payload instanceof TrackedMessage tracked && tracked.clock != null) {
            causality.onReceive(to, tracked.clock);
        }
        return true;
    }

    private boolean isLost(Object payload) {
        return !messageFaults.isEmpty()
                && payload instanceof TrackedMessage tracked
                && tracked.faults.stream().anyMatch(MessageFault.Loss.class::isInstance);
    }

    /** The trace tells of the fault when the first copy arrives, so that the run before looks the same. */
    private void recordDuplication(@Nullable Object payload) {
        if (!messageFaults.isEmpty() && payload instanceof TrackedMessage tracked && tracked.isDuplicationOpen) {
            tracked.isDuplicationOpen = false;
            recordOutcome(payload, Fate.DUPLICATED);
        }
    }

    Object message(Object payload) {
        return payload instanceof TrackedMessage tracked ? tracked.inFlightMessage.message() : payload;
    }

    long messageNumber(Object payload) {
        return payload instanceof TrackedMessage tracked ? tracked.inFlightMessage.number() : 0;
    }

    /** The message arrived at a node that is down. */
    void dropAtDownNode(@Nullable Object payload) {
        recordDuplication(payload);
        recordOutcome(payload, Fate.RECEIVER_DOWN);
    }

    private void recordOutcome(@Nullable Object payload, Fate fate) {
        if (recorder.isTracing() && payload instanceof TrackedMessage tracked) {
            recorder.recordEvent(new TraceEvent.MessageOutcome(timingWheel.now(), tracked.inFlightMessage, fate));
        }
    }

    /** Sends a message between applications. It is neither lost nor counted. */
    void sendAppMessage(int from, int to, long event) {
        if (!isCut(from, to)) {
            clock = null;
            var inFlightMessage = new InFlightMessage(++lastNumber, ids[from], ids[to], "I have asked");
            recorder.recordEvent(new TraceEvent.AppMessageSent(timingWheel.now(), inFlightMessage));
            long arrival = sharedAppLinks
                    ? links.arrival(timingWheel.now(), from, to)
                    : timingWheel.now() + links.delay(from, to);
            timingWheel.schedule(arrival, event, new TrackedMessage(inFlightMessage, clock(from)));
        }
    }

    boolean admitAppMessage(Object payload, int from, int to) {
        if (!admitArrival(payload, from, to)) {
            return false;
        }
        recorder.recordEvent(
                new TraceEvent.AppMessageReceived(timingWheel.now(), ((TrackedMessage) payload).inFlightMessage));
        return true;
    }

    /** Registers a request. Returns the waiting nodes whose requests happened before it. */
    NodeSet precedingRequests(NodeId node) {
        return causality == null ? NodeSet.NONE : causality.onRequest(node);
    }

    void stopWaiting(NodeId node) {
        if (causality != null) {
            causality.stopWaiting(node);
        }
    }
}
