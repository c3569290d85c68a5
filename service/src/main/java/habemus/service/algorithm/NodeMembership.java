package habemus.service.algorithm;

import static java.util.Objects.requireNonNull;

import habemus.concurrent.EventLoop;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.algorithm.ViewHistory.MemberAddress;
import habemus.service.transport.ClusterHandshake;
import habemus.service.transport.Member;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node that joins and leaves: it handles the frames of the membership. The first node of the start also
 * runs the membership service. Only on the event loop.
 */
final class NodeMembership implements ClusterHandshake.Admission {

    /** What the membership needs from its node. */
    interface NodeServices extends MembershipClient.NodeServices {

        /** Leaves all groups, unless clients hold or wait; then it returns the reason. */
        Optional<Refusal> leaveGroups();

        /** This node has become a member. */
        void onWelcome(NodeSet liveMembers);
    }

    private final AlgorithmNodeConfig config;
    private final NodeServices node;
    private final MembershipClient client;
    private final Optional<MembershipService> service;
    private final Map<Long, CompletableFuture<Void>> requests = new HashMap<>();
    private final CompletableFuture<Void> welcome = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private @Nullable Departure departure;
    private long lastRequest;
    private volatile boolean isCandidate;

    /** @throws IllegalStateException if this node has left before */
    NodeMembership(AlgorithmNodeConfig config, EventLoop loop, NodeServices node) {
        this.config = config;
        this.node = node;
        var file = new ViewHistoryFile(config.dataFolder());
        var stored = file.load();
        isCandidate = config.joins() && stored.isEmpty();
        var history = stored.orElseGet(() -> ViewHistory.of(config.members()));
        if (history.hasLeft(config.self())) {
            throw new IllegalStateException(
                    config.self() + " has left (a number is used once); let it join with a new number");
        }
        client = new MembershipClient(config.self(), history, file, loop, node);
        service = !isCandidate && history.coordinator().equals(config.self())
                ? Optional.of(new MembershipService(config, client, node))
                : Optional.empty();
        if (!isCandidate) {
            welcome.complete(null);
        }
    }

    /** Whether this node is a member. */
    boolean isWelcome() {
        return welcome.isDone();
    }

    /**
     * Returns when this node is a member. Not on the event loop.
     *
     * @throws MembershipException if the membership service refuses
     */
    void awaitWelcome() {
        try {
            welcome.get(config.startupWait().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new IllegalStateException("cannot join: " + config.members().getFirst() + " does not answer", late);
        } catch (ExecutionException refused) {
            var cause = requireNonNull(refused.getCause());
            throw cause instanceof MembershipException reason
                    ? reason
                    : new IllegalStateException("cannot join: " + cause.getMessage(), refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    /** Completes when this node has left. */
    CompletableFuture<Void> end() {
        return end;
    }

    ViewHistory known() {
        return client.known();
    }

    boolean isMember(NodeId peer) {
        return client.isMember(peer);
    }

    /** The nodes to connect to at the start: a new node asks the coordinator first. */
    List<Member> firstPeers() {
        var members = known().members();
        return isCandidate ? List.of(members.getFirst()) : members;
    }

    @Override
    public long view() {
        return isCandidate ? 0 : client.announcedView();
    }

    @Override
    public String joinAddress() {
        return isCandidate ? MemberAddress.of(config.selfMember()).address() : "";
    }

    @Override
    public Optional<String> refuse(NodeId peer, long view, String joinAddress) {
        if (client.hasLeft(peer)) {
            return Optional.of(peer + " has left (a number is used once); let it join with a new number");
        }
        if (!client.admits(peer, view) && !(isCandidate && view > 0)) {
            if (joinAddress.isEmpty() || service.isEmpty()) {
                return Optional.of("the node must be one of the members " + known().nodes() + ", was " + peer);
            }
            try {
                client.addCandidate(new MemberAddress(peer, joinAddress).toMember());
            } catch (IllegalArgumentException invalid) {
                return Optional.of(String.valueOf(invalid.getMessage()));
            }
        }
        return Optional.empty();
    }

    /** No process listens at the address of the peer. */
    void onRefused(NodeId peer) {
        client.removeCandidate(peer);
    }

    /** A peer refuses the connection of this node. */
    void onRejected(NodeId peer, String reason) {
        if (isCandidate && peer.equals(client.coordinator())) {
            welcome.completeExceptionally(new IllegalStateException(reason));
        }
    }

    /** A peer is connected for the first time, or has restarted. */
    void onNewIncarnation(NodeId peer) {
        client.onNewIncarnation(peer);
        service.ifPresent(any -> any.onNewIncarnation(peer));
        if (isCandidate && peer.equals(client.coordinator())) {
            node.send(
                    peer,
                    new MembershipFrame.JoinRequest(
                            MemberAddress.of(config.selfMember()),
                            config.lockAlgorithm().text(),
                            config.electionAlgorithm().text(),
                            config.detector().text()));
        } else if (!isCandidate && known().view() > 0 && isMember(peer)) {
            node.send(peer, new MembershipFrame.Views(known()));
        }
        if (departure != null) {
            departure.announceTo(peer);
        }
        if (!isCandidate && peer.equals(client.coordinator())) {
            client.reportAgain();
        }
        advance();
    }

    /** Call it when a peer is suspected, connected or restored. */
    void advance() {
        if (isCandidate) {
            return;
        }
        client.advance();
        service.ifPresent(MembershipService::advance);
        if (departure != null) {
            departure.advance();
        }
        if (!requests.isEmpty() && isCoordinatorDown()) {
            List.copyOf(requests.keySet()).forEach(id -> endRequest(id, Optional.of(coordinatorDown())));
        }
    }

    private boolean isCoordinatorDown() {
        return service.isEmpty() && node.isSuspected(client.coordinator());
    }

    private Refusal coordinatorDown() {
        return new Refusal(
                client.coordinator() + " is down, which runs the membership service: the members cannot change",
                "start " + client.coordinator() + " again");
    }

    /** Lets a member leave. */
    void remove(NodeId member, CompletableFuture<Void> outcome) {
        long id = ++lastRequest;
        requests.put(id, outcome);
        if (isCoordinatorDown()) {
            endRequest(id, Optional.of(coordinatorDown()));
        } else {
            node.send(client.coordinator(), new MembershipFrame.LeaveRequest(id, member));
        }
    }

    private void endRequest(long id, Optional<Refusal> refusal) {
        var outcome = requests.remove(id);
        if (outcome != null) {
            refusal.ifPresentOrElse(
                    reason -> outcome.completeExceptionally(new MembershipException(reason)),
                    () -> outcome.complete(null));
        }
    }

    void handle(NodeId from, MembershipFrame frame) {
        switch (frame) {
            case MembershipFrame.JoinRequest request -> service.ifPresent(any -> join(any, from, request));
            case MembershipFrame.JoinRefused(var refusal) ->
                welcome.completeExceptionally(new MembershipException(refusal));
            case MembershipFrame.Welcome(var history, var live) -> onWelcome(history, live);
            case MembershipFrame.Views(var history) -> onViews(from, history);
            case MembershipFrame.Known(var view) -> service.ifPresent(any -> any.onKnown(from, view));
            case MembershipFrame.Settled(var view) -> onSettled(view);
            case MembershipFrame.LeaveRequest(var id, var leaver) ->
                service.ifPresent(any -> any.leave(leaver, refusal -> reply(from, id, refusal)));
            case MembershipFrame.LeaveDone(var id) -> endRequest(id, Optional.empty());
            case MembershipFrame.LeaveRefused(var id, var refusal) -> endRequest(id, Optional.of(refusal));
            case MembershipFrame.Depart() -> depart();
            case MembershipFrame.DepartRefused(var refusal) ->
                service.ifPresent(any -> any.onDepartRefused(from, refusal));
            case MembershipFrame.Departing() -> {
                client.onDeparting(from);
                service.ifPresent(any -> any.onDeparting(from));
            }
            case MembershipFrame.NoMore() -> {
                if (departure != null) {
                    departure.onNoMore(from);
                }
            }
            case MembershipFrame.Drained() -> client.onDrained(from);
        }
    }

    private void join(MembershipService coordinator, NodeId from, MembershipFrame.JoinRequest request) {
        var reply = new MembershipService.JoinReply() {
            @Override
            public void welcome(ViewHistory history, NodeSet liveMembers) {
                node.send(from, new MembershipFrame.Welcome(history, liveMembers));
            }

            @Override
            public void refuse(Refusal refusal) {
                node.send(from, new MembershipFrame.JoinRefused(refusal));
            }
        };
        var algorithms = List.of(request.locks(), request.elections(), request.detector());
        var expected = List.of(
                config.lockAlgorithm().text(),
                config.electionAlgorithm().text(),
                config.detector().text());
        if (!request.member().node().equals(from) || !algorithms.equals(expected)) {
            reply.refuse(new Refusal(
                    "the algorithms must be the same on all nodes, " + expected + ", were " + algorithms,
                    "start " + from + " with the same algorithms"));
            return;
        }
        coordinator.join(request.member(), reply);
    }

    private void reply(NodeId to, long id, Optional<Refusal> refusal) {
        node.send(
                to,
                refusal.<PeerFrame>map(reason -> new MembershipFrame.LeaveRefused(id, reason))
                        .orElseGet(() -> new MembershipFrame.LeaveDone(id)));
    }

    private void onWelcome(ViewHistory history, NodeSet liveMembers) {
        if (isCandidate) {
            client.welcome(history);
            welcome.complete(null);
            node.onWelcome(liveMembers);
        }
    }

    /** A candidate connects to all members before it is one of them. */
    private void onViews(NodeId from, ViewHistory history) {
        if (isCandidate) {
            node.setPeers(history.members());
            return;
        }
        client.announce(history);
        if (from.equals(client.coordinator())) {
            client.reportAgain();
        }
    }

    private void onSettled(int view) {
        if (departure != null) {
            departure.onSettled();
        }
        client.onSettled(view);
    }

    /** This node has started its groups: it takes part in the next change. */
    void onStarted() {
        isCandidate = false;
        service.ifPresent(MembershipService::start);
        advance();
    }

    private void depart() {
        if (departure != null) {
            departure.announceTo(client.coordinator());
            return;
        }
        node.leaveGroups()
                .ifPresentOrElse(
                        refusal -> node.send(client.coordinator(), new MembershipFrame.DepartRefused(refusal)), () -> {
                            departure = new Departure(config.self(), client, node, end);
                            departure.begin();
                        });
    }
}
