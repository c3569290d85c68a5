package habemus.simulate;

import habemus.protocol.Event;
import habemus.protocol.MembershipAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.world.Fault;
import habemus.world.MembershipHistory;
import habemus.world.MembershipHistory.ViewChange;
import habemus.world.World;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The membership service of a world in which nodes join and leave. It makes one change at a time; changes that are due
 * earlier wait. Each live node learns of a change after the latency of a message from the node that joins or leaves.
 */
final class MembershipDriver<S, M> {

    private final SimulationLoop<S, M> loop;
    private final MembershipAware<S, M> aware;
    private final LinkModel links;
    private final NodeStatus nodeStatus;
    private final TimingWheel wheel;
    private final NodeSet first; // the members of view 0
    private final MembershipHistory[] known; // by node
    private final ArrayDeque<ViewChange> due = new ArrayDeque<>();
    private MembershipHistory history = MembershipHistory.EMPTY;
    private NodeSet left = NodeSet.NONE;
    private boolean isChanging;

    MembershipDriver(SimulationLoop<S, M> loop, MembershipAware<S, M> aware, World world, TimingWheel wheel) {
        this.loop = loop;
        this.aware = aware;
        this.wheel = wheel;
        links = loop.links();
        nodeStatus = loop.nodeStatus();
        first = NodeSet.of(world.topology().nodes()).without(world.joiners());
        known = new MembershipHistory[world.topology().highestNumber() + 1];
        Arrays.fill(known, MembershipHistory.EMPTY);
        world.joiners().forEachNumber(nodeStatus::setAbsent);
    }

    /**
     * Whether the members change in this world.
     *
     * @throws IllegalArgumentException if they do, and those of the algorithm are fixed
     */
    static boolean isNeeded(World world, Protocol<?, ?> protocol) {
        boolean isNeeded = world.faults().stream()
                .anyMatch(planned -> planned.fault() instanceof Fault.Join || planned.fault() instanceof Fault.Leave);
        if (isNeeded && !(protocol instanceof MembershipAware)) {
            throw new IllegalArgumentException(protocol.getClass().getSimpleName() + " cannot change its members");
        }
        return isNeeded;
    }

    NodeSet members() {
        return history.members(first);
    }

    /** The peers in the view that this node knows. */
    Neighbourhood neighbourhood(NodeId id) {
        return new Neighbourhood(
                id, known[id.number()].members(first).without(id).toList());
    }

    /** Whether the peer is in the view of the node, which has not left. */
    boolean knows(NodeId node, NodeId peer) {
        return !hasLeft(node.number()) && known[node.number()].members(first).contains(peer);
    }

    boolean hasLeft(int node) {
        return !left.isEmpty() && left.contains(loop.id(node));
    }

    /** Whether no change is due or not yet known everywhere. */
    boolean isIdle() {
        return !isChanging && due.isEmpty();
    }

    void requirePeer(NodeId from, NodeId to) {
        ProtocolBug.unless(
                known[from.number()].members(first).contains(to),
                "a message to " + to + ", which is not in the view,",
                from);
    }

    void onDue(ViewChange change) {
        due.add(change);
        beginNext();
    }

    private void beginNext() {
        while (!isChanging && !due.isEmpty()) {
            begin(due.remove());
        }
    }

    private void begin(ViewChange change) {
        if (!isPossible(change)) {
            return;
        }
        var node = change.node();
        isChanging = true;
        history = history.with(change);
        known[node.number()] = history;
        if (change.joins()) {
            nodeStatus.restart(node.number());
            loop.join(node, aware.join(neighbourhood(node), history.view()));
        } else {
            loop.leave(node);
            left = left.with(node);
        }
        for (NodeId peer : members().without(node)) {
            if (!nodeStatus.isDown(peer.number())) {
                scheduleNotice(peer, node);
            }
        }
        completeIfKnown();
    }

    /** A node that is down or paused does not leave, and neither does the last member. */
    private boolean isPossible(ViewChange change) {
        var node = change.node();
        return change.joins()
                ? aware.mayJoin(node) && !history.hasJoined(node)
                : aware.mayLeave(node)
                        && members().contains(node)
                        && members().size() > 1
                        && nodeStatus.isUp(node.number());
    }

    /** The notice is the last message of a node that leaves. */
    private void scheduleNotice(NodeId peer, NodeId changed) {
        int to = peer.number();
        long arrival = links.arrival(wheel.now(), changed.number(), to);
        scheduleNotice(to, Math.max(arrival, lastMessage(changed, to)));
    }

    private void scheduleNotice(int node, long time) {
        wheel.schedule(time, PackedEvent.of(PackedEvent.VIEW, node, history.view()), null);
    }

    /** When the last message that is in flight on this link arrives; negative if there is none. */
    private long lastMessage(NodeId from, int to) {
        return wheel.latest(PackedEvent.of(PackedEvent.MESSAGE, to, from.number()));
    }

    void onNotice(int node, int view) {
        learn(node, view);
        completeIfKnown();
    }

    /** The node learns that the sender has joined before it gets the first message of it. */
    void beforeReceive(int node, NodeId sender) {
        var change = new ViewChange(sender, true);
        if (history.hasJoined(sender) && !known[node].hasJoined(sender)) {
            onNotice(node, history.changes().indexOf(change) + 1);
        }
    }

    /** A restarted node learns of the changes that it has missed, of a leave after the last message. */
    void onRestart(int node) {
        learn(node, history.view());
        completeIfKnown();
    }

    private void learn(int node, int view) {
        while (known[node].view() < view && !hasLeft(node)) {
            var change = history.changes().get(known[node].view());
            long last = change.joins() ? -1 : lastMessage(change.node(), node);
            if (last >= 0) {
                scheduleNotice(node, last);
                return;
            }
            known[node] = known[node].with(change);
            loop.onViewChanged(loop.id(node), change.node(), event(change, known[node].view()));
        }
    }

    private static <M> Event<M> event(ViewChange change, long view) {
        return change.joins() ? new Event.Joined<>(change.node(), view) : new Event.Left<>(change.node(), view);
    }

    /** A change is over when all live nodes know it, and no message to or from a node that has left is in flight. */
    void completeIfKnown() {
        for (NodeId member : members()) {
            if (!nodeStatus.isDown(member.number()) && known[member.number()].view() < history.view()) {
                return;
            }
        }
        if (!isChanging) {
            return;
        }
        for (NodeId node : left) {
            long last = wheel.latestMessageTo(node.number());
            for (NodeId member : members()) {
                last = Math.max(last, lastMessage(node, member.number()));
            }
            if (last >= 0) {
                scheduleNotice(node.number(), last);
                return;
            }
        }
        isChanging = false;
        beginNext();
    }
}
