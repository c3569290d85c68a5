package habemus.service.algorithm;

import habemus.concurrent.EventLoop;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.algorithm.ViewHistory.Change;
import habemus.service.transport.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node knows of the membership. The coordinator announces the views, and this node makes the changes in their
 * order, each as soon as its messages permit. Only on the event loop.
 *
 * <p>The peers of a node deliver in order. So this node makes a leave after the last message of the peer, and it makes
 * a join when it is connected to the new member: no message to it is lost.
 */
final class MembershipClient {

    /** What the membership needs from its node. */
    interface NodeServices {

        void send(NodeId to, PeerFrame frame);

        /** Whether the peer seems to be down; a peer that was never connected is. */
        boolean isSuspected(NodeId peer);

        /** Whether messages to the peer are delivered when it is up. */
        boolean wasConnected(NodeId peer);

        /** Connects to these nodes only. */
        void setPeers(List<Member> peers);

        void onJoined(NodeId peer, int view);

        void onLeft(NodeId peer, int view);
    }

    private static final Logger LOG = LoggerFactory.getLogger(MembershipClient.class);

    /** For how long the members wait for a connection to a new member. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private static final int MAX_CANDIDATES = 16;
    private static final int NONE = -1;

    private final NodeId self;
    private final NodeServices node;
    private final EventLoop loop;
    private final ViewHistoryFile file;
    private ViewHistory known; // the changes that this node has made
    private ViewHistory announced; // those that it will make
    private final Map<NodeId, Member> candidates = new TreeMap<>(); // that ask this node to join
    private NodeSet departing = NodeSet.NONE; // their last own message has arrived
    private NodeSet drained = NodeSet.NONE; // their last message has arrived
    private NodeSet unreachable = NodeSet.NONE; // new members that were not connected in time
    private int settledView;
    private int reportedView = NONE;

    MembershipClient(NodeId self, ViewHistory first, ViewHistoryFile file, EventLoop loop, NodeServices node) {
        this.self = self;
        this.node = node;
        this.loop = loop;
        this.file = file;
        known = first;
        announced = first;
        settledView = first.view();
    }

    ViewHistory known() {
        return known;
    }

    int announcedView() {
        return announced.view();
    }

    NodeId coordinator() {
        return known.coordinator();
    }

    boolean isMember(NodeId peer) {
        return known.contains(peer);
    }

    /** Whether a node may connect: a member, a node that leaves, or one that knows later views. */
    boolean admits(NodeId peer, long view) {
        return announced.contains(peer) || isDraining(peer) || view > announced.view() && !announced.hasLeft(peer);
    }

    boolean hasLeft(NodeId peer) {
        return announced.hasLeft(peer) && !isDraining(peer);
    }

    private boolean isDraining(NodeId peer) {
        return settledView < announced.view()
                && announced
                        .lastChange()
                        .filter(change -> !change.joins() && change.node().equals(peer))
                        .isPresent();
    }

    /** Connects to a node that asks to join. */
    void addCandidate(Member candidate) {
        if (candidates.size() < MAX_CANDIDATES && !candidate.equals(candidates.put(candidate.node(), candidate))) {
            updatePeers();
        }
    }

    /** The node that asked to join has ended. */
    void removeCandidate(NodeId node) {
        if (candidates.remove(node) != null) {
            updatePeers();
        }
    }

    /** Connects to the members, to the node that leaves, and to those that ask to join. */
    void updatePeers() {
        var peers = new ArrayList<>(announced.members());
        announced
                .lastChange()
                .filter(change -> isDraining(change.node()))
                .ifPresent(change -> peers.add(change.member().toMember()));
        candidates.values().stream()
                .filter(member -> !announced.contains(member.node()))
                .forEach(peers::add);
        node.setPeers(peers);
    }

    /** This node becomes a member. */
    void welcome(ViewHistory history) {
        file.save(history);
        known = history;
        announced = history;
        settledView = history.view() - 1;
        updatePeers();
    }

    /** The coordinator announces views, or a peer tells those that it knows. */
    void announce(ViewHistory history) {
        if (history.view() > announced.view()) {
            history.changes().subList(announced.view(), history.view()).stream()
                    .filter(Change::joins)
                    .forEach(change -> loop.schedule(CONNECT_TIMEOUT, () -> onConnectTimeout(change.node())));
            announced = history;
            updatePeers();
        }
        advance();
    }

    /** The coordinator may not know which view this node knows. */
    void reportAgain() {
        reportedView = NONE;
        advance();
    }

    private void onConnectTimeout(NodeId peer) {
        unreachable = unreachable.with(peer);
        advance();
    }

    void onDeparting(NodeId peer) {
        departing = departing.with(peer);
        advance();
    }

    void onDrained(NodeId peer) {
        drained = drained.with(peer);
        advance();
    }

    /** A peer has restarted: its earlier messages are gone. */
    void onNewIncarnation(NodeId peer) {
        departing = departing.without(peer);
        drained = drained.without(peer);
    }

    /** The last change is over: the connection to the node that left ends. */
    void onSettled(int view) {
        if (view == announced.view()) {
            settledView = view;
            updatePeers();
        }
    }

    /** Makes the changes that are due, and reports to the coordinator. Call it when a condition may have changed. */
    void advance() {
        while (known.view() < announced.view() && isDue(announced.change(known.view() + 1))) {
            make(announced.change(known.view() + 1));
        }
        boolean isReported = known.view() <= reportedView;
        if (!isReported && known.view() == announced.view() && isNothingInFlight()) {
            reportedView = known.view();
            known.lastChange()
                    .filter(change -> !change.joins() && node.isSuspected(change.node()))
                    .ifPresent(gone -> onSettled(known.view()));
            node.send(coordinator(), new MembershipFrame.Known(known.view()));
        }
    }

    private boolean isDue(Change change) {
        var peer = change.node();
        return peer.equals(self)
                || (change.joins()
                        ? node.wasConnected(peer) || unreachable.contains(peer)
                        : departing.contains(peer) || node.isSuspected(peer));
    }

    private void make(Change change) {
        known = known.with(change);
        file.save(known);
        var peer = change.node();
        LOG.info(
                "membership changed node={} peer={} change={} view={}",
                self,
                peer,
                change.joins() ? "joined" : "left",
                known.view());
        if (peer.equals(self)) {
            return;
        }
        if (change.joins()) {
            candidates.remove(peer);
            node.onJoined(peer, known.view());
        } else {
            node.onLeft(peer, known.view());
            node.send(peer, new MembershipFrame.NoMore());
        }
    }

    /** A node that is down sends nothing more. */
    private boolean isNothingInFlight() {
        return known.lastChange()
                .filter(change -> !change.joins() && !change.node().equals(self))
                .map(change -> drained.contains(change.node()) || node.isSuspected(change.node()))
                .orElse(true);
    }
}
