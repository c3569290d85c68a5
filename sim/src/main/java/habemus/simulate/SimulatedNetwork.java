package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.world.CausalityTracker;
import habemus.world.InFlightMessage;
import habemus.world.Problem;
import habemus.world.TraceEvent;
import habemus.world.TraceEvent.Fate;
import habemus.world.Workload.Chatter;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages from node to node. As long as nobody wants to know more, what travels is the bare message; where a
 * run is traced, or its causes are judged, it travels in a letter.
 */
final class SimulatedNetwork {

    /** A message with its number, and the vector clock of its sender where causes are judged. */
    private static final class TrackedMessage {
        final InFlightMessage inFlightMessage;
        final int @Nullable [] clock;

        TrackedMessage(InFlightMessage inFlightMessage, int @Nullable [] clock) {
            this.inFlightMessage = inFlightMessage;
            this.clock = clock;
        }
    }

    /** Larger worlds are not asked whether a message goes to a neighbour. */
    private static final int MAX_CHECKED_NODES = 1_000;

    private final LinkModel linkModel;
    private final RunRecorder runRecorder;
    private final TimingWheel timingWheel;
    private final boolean sharedAppLinks;
    private final NodeSet @Nullable [] neighbours;
    private final @Nullable CausalityTracker causalityTracker;
    private final boolean tracksMessages;
    private final List<InFlightMessage> sent = new ArrayList<>();
    private NodeId[] ids = {};
    private int @Nullable [] clock; // of the step that is being carried out
    private long number;

    SimulatedNetwork(
            World world, Problem problem, SplittableRandom chance, RunRecorder runRecorder, TimingWheel timingWheel) {
        this.runRecorder = runRecorder;
        this.timingWheel = timingWheel;
        linkModel = new LinkModel(world, chance);
        sharedAppLinks = world.workload().chatter() == Chatter.SHARED_LINKS;
        int highest = world.topology().highestNumber();
        boolean causal = problem == Problem.MUTEX && highest <= CausalityTracker.MAX_NODES && runRecorder.hasMonitors();
        causalityTracker = causal ? new CausalityTracker(highest) : null;
        tracksMessages = causal || runRecorder.isTracing();
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
        return linkModel;
    }

    void beginStep() {
        clock = null;
    }

    /** The messages that left since this was asked last. */
    List<InFlightMessage> drainSent() {
        var taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    void send(int from, int to, Object message, long what) {
        if (to >= ids.length || ids[to] == null || neighbours != null && !neighbours[from].contains(ids[to])) {
            throw new ProtocolBug("sending to n" + to + ", which is no neighbour,", ids[from]);
        }
        runRecorder.count(message);
        Object load = message;
        if (tracksMessages) {
            var inFlightMessage = new InFlightMessage(++number, ids[from], ids[to], message);
            if (runRecorder.isTracing()) {
                sent.add(inFlightMessage);
            }
            load = new TrackedMessage(inFlightMessage, clock(from));
        }
        if (isCut(from, to)) {
            recordOutcome(load, Fate.PARTITIONED);
        } else if (linkModel.drawLoss()) {
            recordOutcome(load, Fate.LOST);
        } else {
            timingWheel.schedule(linkModel.arrival(timingWheel.now(), from, to), what, load);
            if (linkModel.drawDuplication()) {
                recordOutcome(load, Fate.DUPLICATED);
                timingWheel.schedule(linkModel.arrival(timingWheel.now(), from, to), what, load);
            }
        }
    }

    private boolean isCut(int from, int to) {
        return linkModel.hasCuts() && linkModel.isCut(ids[from], ids[to]);
    }

    private int @Nullable [] clock(int from) {
        if (clock == null && causalityTracker != null) {
            clock = causalityTracker.onSend(from);
        }
        return clock;
    }

    /** Whether what has arrived gets through: links are cut at both ends. */
    boolean admitArrival(Object load, int from, int to) {
        if (isCut(from, to)) {
            recordOutcome(load, Fate.PARTITIONED);
            return false;
        }
        if (causalityTracker != null && load instanceof TrackedMessage trackedMessage && trackedMessage.clock != null) {
            causalityTracker.onReceive(to, trackedMessage.clock);
        }
        return true;
    }

    Object message(Object load) {
        return load instanceof TrackedMessage trackedMessage ? trackedMessage.inFlightMessage.message() : load;
    }

    long number(Object load) {
        return load instanceof TrackedMessage trackedMessage ? trackedMessage.inFlightMessage.number() : 0;
    }

    /** It arrives at a node that is down. */
    void dropAtDownNode(@Nullable Object load) {
        recordOutcome(load, Fate.RECEIVER_DOWN);
    }

    private void recordOutcome(@Nullable Object load, Fate fate) {
        if (runRecorder.isTracing() && load instanceof TrackedMessage trackedMessage) {
            runRecorder.recordEvent(
                    new TraceEvent.MessageOutcome(timingWheel.now(), trackedMessage.inFlightMessage, fate));
        }
    }

    /** One application speaks to another: nothing of it is lost, and nobody counts it. */
    void sendAppMessage(int from, int to, long what) {
        if (!isCut(from, to)) {
            clock = null;
            var inFlightMessage = new InFlightMessage(++number, ids[from], ids[to], "I have asked");
            runRecorder.recordEvent(new TraceEvent.AppMessageSent(timingWheel.now(), inFlightMessage));
            long arrival = sharedAppLinks
                    ? linkModel.arrival(timingWheel.now(), from, to)
                    : timingWheel.now() + linkModel.delay(from, to);
            timingWheel.schedule(arrival, what, new TrackedMessage(inFlightMessage, clock(from)));
        }
    }

    boolean admitAppMessage(Object load, int from, int to) {
        if (!admitArrival(load, from, to)) {
            return false;
        }
        runRecorder.recordEvent(
                new TraceEvent.AppMessageReceived(timingWheel.now(), ((TrackedMessage) load).inFlightMessage));
        return true;
    }

    /** Those that wait and whose asking happened before this one. */
    NodeSet precedingRequests(NodeId node) {
        return causalityTracker == null ? NodeSet.NONE : causalityTracker.onRequest(node);
    }

    void stopWaiting(NodeId node) {
        if (causalityTracker != null) {
            causalityTracker.stopWaiting(node);
        }
    }
}
