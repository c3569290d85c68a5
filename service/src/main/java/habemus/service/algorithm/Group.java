package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.codec.Codec;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.service.runtime.ProtocolRunner;
import habemus.service.trace.RecordedStep.Arrival;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** One lock or election on one node: the machine in its loop, the clients in their line, and the one that is in. */
abstract sealed class Group<S, M> implements ProtocolRunner.EffectHandler<M> permits LockGroup, ElectionGroup {

    /** What a group needs of its node. */
    interface NodeServices {

        void send(NodeId to, PeerFrame peerFrame);

        void onFailed(GroupId group, RuntimeException why, Object state);

        /** Whether {@link #onChanged} reaches anybody. */
        boolean hasListeners();

        void onChanged(GroupStatus groupStatus);
    }

    final ProtocolRunner<S, M> runner;
    final ArrayDeque<Ticket> queue = new ArrayDeque<>(); // only on the loop's thread, as all that follows
    private final GroupId id;
    private final AlgorithmSpec algorithmSpec;
    private final NodeServices nodeServices;
    private final Codec<M> codec;
    private @Nullable Ticket holder; // has been let in
    private long fence; // with which it was, or the term
    private boolean isNotificationPending; // of a change

    Group(
            GroupId id,
            AlgorithmSpec algorithmSpec,
            Protocol<S, M> protocol,
            Neighbourhood neighbourhood,
            Dependencies<S, M> dependencies) {
        this.id = id;
        this.algorithmSpec = algorithmSpec;
        nodeServices = dependencies.nodeServices();
        codec = Codec.ofMessages(protocol);
        runner = new ProtocolRunner<>(protocol, neighbourhood, this, dependencies.persistence(), dependencies.ticker());
    }

    record Dependencies<S, M>(
            NodeServices nodeServices, ProtocolRunner.Persistence<S, M> persistence, ScheduledExecutorService ticker) {}

    PeerFrame openFrame() {
        return new PeerFrame.OpenGroup(id, algorithmSpec.text());
    }

    /** Whether that frame is about the same algorithm. */
    boolean hasAlgorithm(String text) {
        return algorithmSpec.text().equals(text);
    }

    /** @throws habemus.codec.MalformedInputException if it is no message of this algorithm */
    void receive(NodeId from, long incarnation, PeerFrame.AlgorithmMessage frame) {
        runner.receive(from, codec.read(frame.message().asByteBuffer()), new Arrival(incarnation, frame.number()));
    }

    void setSuspected(NodeId peer, boolean down) {
        runner.setSuspected(peer, down);
    }

    /** Takes a place at the end of the line. */
    Ticket enqueue(String client) {
        var ticket = new Ticket(client);
        runner.submit(() -> {
            queue.add(ticket);
            onQueued();
            notifyChanged();
        });
        return ticket;
    }

    /** Gives back what the ticket was good for. */
    void release(Ticket ticket) {
        runner.submit(() -> {
            boolean held = ticket == holder;
            if (held || queue.remove(ticket)) {
                ticket.end(Ticket.End.RELEASED);
            }
            if (held) {
                holder = null;
                onReleased();
            }
            notifyChanged();
        });
    }

    /** The first in line, if there is one and nobody else is inside. */
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

    /** Whoever was let in has lost it. */
    void revokeHolder() {
        var out = holder;
        holder = null;
        if (out != null) {
            out.end(Ticket.End.LOST);
        }
    }

    /** Tells who watches, after what is already in the inbox: of many changes at once only the last is told. */
    void notifyChanged() {
        if (!isNotificationPending && nodeServices.hasListeners()) {
            isNotificationPending = true;
            runner.submit(() -> {
                isNotificationPending = false;
                nodeServices.onChanged(describe());
            });
        }
    }

    /** Tells who watches how it is. */
    void publishStatus() {
        runner.submit(this::notifyChanged);
    }

    CompletableFuture<GroupStatus> status() {
        var groupStatus = new CompletableFuture<GroupStatus>();
        runner.submit(() -> groupStatus.complete(describe()));
        return groupStatus;
    }

    GroupStatus status(int leader, long term) {
        List<GroupStatus.Client> inside = holder == null ? List.of() : List.of(holder.asClient());
        var waiting = queue.stream().map(Ticket::asClient).toList();
        return new GroupStatus(id, algorithmSpec.text(), inside, isHeld() ? fence : 0, waiting, leader, term);
    }

    /** Somebody has joined the line. */
    abstract void onQueued();

    /** Whoever was let in has given it back. */
    abstract void onReleased();

    abstract GroupStatus describe();

    @Override
    public void send(NodeId to, long number, M message) {
        nodeServices.send(
                to, new PeerFrame.AlgorithmMessage(id, algorithmSpec.text(), number, codec.writeByteString(message)));
    }

    @Override
    public void onFailed(RuntimeException why, Object state) {
        nodeServices.onFailed(id, why, state);
    }
}
