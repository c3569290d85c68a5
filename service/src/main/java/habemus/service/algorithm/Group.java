package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.codec.Codec;
import habemus.concurrent.EventLoop;
import habemus.protocol.Event;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.service.runtime.ProtocolRunner;
import habemus.service.trace.RecordedStep.Arrival;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One lock or election on one node: its protocol instance, the queue of its clients, and the client that holds it. Only
 * on the event loop.
 */
abstract sealed class Group<S, M> implements ProtocolRunner.EffectHandler<M> permits LockGroup, ElectionGroup {

    /** What a group needs from its node. */
    interface NodeServices {

        void send(NodeId to, PeerFrame peerFrame);

        void onFailed(GroupId group, RuntimeException cause, Object state);

        /** Whether {@link #onChanged} has an effect. */
        boolean hasListeners();

        void onChanged(GroupStatus status);
    }

    final ProtocolRunner<S, M> runner;
    final ArrayDeque<Ticket> queue = new ArrayDeque<>(); // the next first
    private final GroupId id;
    private final AlgorithmSpec spec;
    private final NodeServices nodeServices;
    private final EventLoop loop;
    private final Codec<M> codec;
    private @Nullable Ticket holder;
    private long fence; // of the holder, or its term
    private boolean isNotificationPending;

    Group(
            GroupId id,
            AlgorithmSpec spec,
            Protocol<S, M> protocol,
            Neighbourhood neighbourhood,
            Dependencies<S, M> dependencies) {
        this.id = id;
        this.spec = spec;
        nodeServices = dependencies.nodeServices();
        codec = Codec.ofMessages(protocol);
        loop = dependencies.loop();
        runner = new ProtocolRunner<>(protocol, neighbourhood, this, dependencies.persistence(), loop);
    }

    record Dependencies<S, M>(
            NodeServices nodeServices, ProtocolRunner.Persistence<S, M> persistence, EventLoop loop) {}

    PeerFrame openFrame() {
        return new PeerFrame.OpenGroup(id, spec.text());
    }

    /** Whether this is the algorithm of the group. */
    boolean hasAlgorithm(String text) {
        return spec.text().equals(text);
    }

    /** @throws habemus.codec.MalformedInputException if the frame holds no message of this algorithm */
    void receive(NodeId from, long incarnation, PeerFrame.AlgorithmMessage frame) {
        runner.receive(from, codec.read(frame.message().asByteBuffer()), new Arrival(incarnation, frame.number()));
    }

    /** A peer has joined or left. */
    void changeView(NodeId peer, boolean joins, int view) {
        runner.changeView(joins ? new Event.Joined<>(peer, view) : new Event.Left<>(peer, view));
    }

    /** Whether no client of this node holds or waits, so that the node may leave. */
    boolean isIdle() {
        return !isHeld() && queue.isEmpty();
    }

    void setSuspected(NodeId peer, boolean isSuspected) {
        runner.setSuspected(peer, isSuspected);
    }

    /** Adds a client to the queue. */
    void enqueue(Ticket ticket) {
        runner.submit(() -> {
            queue.add(ticket);
            onQueued();
            notifyChanged();
        });
    }

    /** Releases the lock or the leadership, or leaves the queue. */
    void release(Ticket ticket) {
        runner.submit(() -> {
            boolean isHolder = ticket == holder;
            if (isHolder || queue.remove(ticket)) {
                ticket.end(Ticket.End.RELEASED);
            }
            if (isHolder) {
                holder = null;
                onReleased();
            }
            notifyChanged();
        });
    }

    /** Grants to the first in the queue, unless there is a holder. */
    void grantNext(long grantFence) {
        if (!isHeld() && !queue.isEmpty()) {
            fence = grantFence;
            holder = queue.remove();
            holder.grant(grantFence);
        }
    }

    boolean isHeld() {
        return holder != null;
    }

    /** The algorithm has taken the grant from the holder. */
    void revokeHolder() {
        var revoked = holder;
        holder = null;
        if (revoked != null) {
            revoked.end(Ticket.End.LOST);
        }
    }

    /** Notifies the listeners after the tasks that wait already: many changes at once cause one notification. */
    void notifyChanged() {
        if (!isNotificationPending && nodeServices.hasListeners()) {
            isNotificationPending = true;
            loop.execute(() -> {
                isNotificationPending = false;
                nodeServices.onChanged(describe());
            });
        }
    }

    GroupStatus status(int leader, long term) {
        List<GroupStatus.Client> holders = holder == null ? List.of() : List.of(holder.asClient());
        var waiting = queue.stream().map(Ticket::asClient).toList();
        return new GroupStatus(id, spec.text(), holders, isHeld() ? fence : 0, waiting, leader, term);
    }

    /** A client has joined the queue. */
    abstract void onQueued();

    /** The holder has released. */
    abstract void onReleased();

    abstract GroupStatus describe();

    @Override
    public void send(NodeId to, long number, M message) {
        nodeServices.send(to, new PeerFrame.AlgorithmMessage(id, spec.text(), number, codec.writeByteString(message)));
    }

    @Override
    public void onFailed(RuntimeException cause, Object state) {
        nodeServices.onFailed(id, cause, state);
    }
}
