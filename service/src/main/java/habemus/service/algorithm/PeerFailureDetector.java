package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.concurrent.EventLoop;
import habemus.protocol.Effect;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.service.runtime.DurableStateStore;
import habemus.service.runtime.ProtocolRunner;
import habemus.service.runtime.ProtocolRunner.Persistence;
import habemus.service.trace.RecordedStep.Arrival;
import habemus.service.trace.StepRecorder;
import habemus.service.transport.Member;
import java.util.HashMap;
import java.util.Map;

/**
 * The failure detector of a node, beneath all its groups. Only on the event loop.
 *
 * <p>It suspects a peer for one of two reasons. The detector of the catalogue suspects it, because its heartbeats are
 * missing. Or the machine of the peer refuses connections: the process has ended, which is certain long before
 * heartbeats are missing. A connection that ends is no reason by itself.
 */
final class PeerFailureDetector<S, M> implements ProtocolRunner.EffectHandler<M> {

    /** What a detector needs from its node. */
    interface NodeServices {

        /** Sends a frame, which may be lost. */
        void send(NodeId to, PeerFrame peerFrame);

        /** The detector suspects a peer, or no longer does. */
        void onSuspicionChanged(NodeId peer);

        void onFailed(RuntimeException cause, Object state);
    }

    private final AlgorithmSpec spec;
    private final Codec<M> codec;
    private final NodeServices nodeServices;
    private final Protocol<S, M> protocol;
    private final EventLoop loop;
    private final NodeId self;
    private final Map<NodeId, PeerFrame> lastFrames = new HashMap<>(); // to each peer
    private ProtocolRunner<S, M> runner;
    private NodeSet members;
    private NodeSet silentPeers = NodeSet.NONE;
    private NodeSet inherited = NodeSet.NONE; // suspected by the detector of the former members
    private NodeSet endedPeers = NodeSet.NONE;

    private PeerFailureDetector(
            AlgorithmNodeConfig config, Protocol<S, M> protocol, NodeServices nodeServices, EventLoop loop) {
        this.nodeServices = nodeServices;
        this.protocol = protocol;
        this.loop = loop;
        spec = config.detector();
        codec = Codec.ofMessages(protocol);
        self = config.self();
        members = NodeSet.of(config.members().stream().map(Member::node).toList());
        runner = runner();
    }

    static PeerFailureDetector<?, ?> of(AlgorithmNodeConfig config, NodeServices nodeServices, EventLoop loop) {
        return of(config, config.detector().protocol(config.members().size()), nodeServices, loop);
    }

    private static <S, M> PeerFailureDetector<S, M> of(
            AlgorithmNodeConfig config, Protocol<S, M> protocol, NodeServices nodeServices, EventLoop loop) {
        return new PeerFailureDetector<>(config, protocol, nodeServices, loop);
    }

    private ProtocolRunner<S, M> runner() {
        return new ProtocolRunner<>(
                protocol,
                new Neighbourhood(self, members.without(self).toList()),
                this,
                new Persistence<>(DurableStateStore.none(), StepRecorder.none()),
                loop);
    }

    /** The members have changed: the detector starts again. A suspicion lasts until the peer sends a heartbeat. */
    void setMembers(NodeSet next) {
        if (next.equals(members)) {
            return;
        }
        runner.stop();
        members = next;
        silentPeers = silentPeers.intersection(next);
        endedPeers = endedPeers.intersection(next);
        inherited = silentPeers;
        runner = runner();
        runner.start();
    }

    void start() {
        runner.start();
    }

    void stop() {
        runner.stop();
    }

    boolean isSuspected(NodeId peer) {
        return silentPeers.contains(peer) || endedPeers.contains(peer);
    }

    /** @throws MalformedInputException if the frame holds no message of this detector */
    void receive(NodeId from, PeerFrame.DetectorMessage frame) {
        if (!frame.detector().equals(spec.text())) {
            throw new MalformedInputException("the failure detector must be the same on all nodes, '" + spec.text()
                    + "', was '" + frame.detector() + "'");
        }
        if (!members.contains(from)) {
            return; // it has left, or this node does not know yet that it joins
        }
        if (inherited.contains(from)) {
            inherited = inherited.without(from);
            setSilent(from, false);
        }
        runner.receive(from, codec.read(frame.message().asByteBuffer()), Arrival.NONE);
    }

    /** Sends the last heartbeat again, which was lost because the peer was not connected. */
    void onConnected(NodeId peer) {
        var frame = lastFrames.get(peer);
        if (frame != null) {
            nodeServices.send(peer, frame);
        }
        setEnded(peer, false);
    }

    /** No process listens at the address of the peer. */
    void onRefused(NodeId peer) {
        setEnded(peer, true);
    }

    private void setEnded(NodeId peer, boolean hasEnded) {
        boolean wasSuspected = isSuspected(peer);
        endedPeers = hasEnded ? endedPeers.with(peer) : endedPeers.without(peer);
        notifyIfChanged(peer, wasSuspected);
    }

    private void setSilent(NodeId peer, boolean isSilent) {
        boolean wasSuspected = isSuspected(peer);
        silentPeers = isSilent ? silentPeers.with(peer) : silentPeers.without(peer);
        notifyIfChanged(peer, wasSuspected);
    }

    private void notifyIfChanged(NodeId peer, boolean wasSuspected) {
        if (isSuspected(peer) != wasSuspected) {
            nodeServices.onSuspicionChanged(peer);
        }
    }

    @Override
    public void send(NodeId to, long number, M message) {
        var frame = new PeerFrame.DetectorMessage(spec.text(), codec.writeByteString(message));
        lastFrames.put(to, frame);
        nodeServices.send(to, frame);
    }

    @Override
    public void onNotified(Effect<M> effect) {
        switch (effect) {
            case Effect.Suspect<M>(var peer) -> {
                inherited = inherited.without(peer);
                setSilent(peer, true);
            }
            case Effect.Restore<M>(var peer) -> setSilent(peer, false);
            default -> throw new IllegalStateException("a failure detector must suspect or restore, was " + effect);
        }
    }

    @Override
    public void onFailed(RuntimeException cause, Object state) {
        nodeServices.onFailed(cause, state);
    }
}
