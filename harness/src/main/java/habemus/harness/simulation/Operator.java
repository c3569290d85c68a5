package habemus.harness.simulation;

import habemus.protocol.NodeId;
import habemus.service.raft.RaftLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes the members of the cluster, as an operator with a script would: asks some node, and tries again. */
@SuppressWarnings("FutureReturnValueIgnored") // the monitors see the outcome
final class Operator {

    private static final long MIN_PATIENCE_NANOS = FaultPlan.SECOND / 5;
    private static final long MAX_PATIENCE_NANOS = FaultPlan.SECOND;
    private static final long CALL_TIMEOUT_NANOS = 25 * FaultPlan.SECOND;

    private final ServiceWorld world;
    private final SplittableRandom random;
    private final List<SimulatedNode> unfinished = new ArrayList<>();
    private NodeId lastReplaced = new NodeId(1);
    private boolean hasReplaced;

    Operator(ServiceWorld world, SplittableRandom random) {
        this.world = world;
        this.random = random;
    }

    /** Whether a node is being added, removed or replaced. */
    boolean isBusyWith(SimulatedNode node) {
        return unfinished.contains(node);
    }

    List<SimulatedNode> unfinished() {
        return unfinished;
    }

    /** Whether a node was removed before. Peers forget a member that is removed. */
    boolean hasReplaced() {
        return hasReplaced;
    }

    /** The node whose data is lost, or will be. */
    NodeId lastReplaced() {
        return lastReplaced;
    }

    /** Removes a node that does not run, and lets it join again with an empty folder. */
    void replace(SimulatedNode node) {
        if (!unfinished.contains(node)) {
            unfinished.add(node);
            hasReplaced = true;
            lastReplaced = node.id();
            remove(node, () -> {
                node.startJoining();
                add(node);
            });
        }
    }

    /** Starts a node that is no member, and adds it. */
    void join(SimulatedNode node) {
        unfinished.add(node);
        node.startJoining();
        add(node);
    }

    /** Removes a node from the cluster for ever. */
    void dismiss(SimulatedNode node) {
        unfinished.add(node);
        hasReplaced = true;
        remove(node, () -> {
            unfinished.remove(node);
            node.retire();
        });
    }

    private void remove(SimulatedNode node, Runnable then) {
        ask(node, "removes", log -> log.removeMember(node.id()), "is not a member", () -> {
            world.count(ServiceSituation.MEMBER_GONE);
            then.run();
        });
    }

    private void add(SimulatedNode node) {
        var member = SimulatedNode.member(node.id().number());
        ask(node, "adds", log -> log.addMember(member), "already a member and nothing else", () -> {
            world.count(ServiceSituation.MEMBER_JOINED);
            unfinished.remove(node);
        });
    }

    /** Asks one node after the other until the change is done. */
    private void ask(
            SimulatedNode node,
            String verb,
            Function<RaftLog, CompletableFuture<Void>> change,
            String doneAlready,
            Runnable then) {
        long patience = random.nextLong(MIN_PATIENCE_NANOS, MAX_PATIENCE_NANOS);
        world.time().after(patience, () -> {
            var asked = randomOther(node);
            if (asked.isEmpty()) {
                ask(node, verb, change, doneAlready, then);
                return;
            }
            new Attempt(node, verb, change, doneAlready, then).start(asked.get());
        });
    }

    private Optional<SimulatedNode> randomOther(SimulatedNode node) {
        var others = world.nodes().stream()
                .filter(other -> other != node && other.isRunning() && !other.isAmnesiac())
                .toList();
        return others.isEmpty() ? Optional.empty() : Optional.of(others.get(random.nextInt(others.size())));
    }

    /** One call of one node. */
    private final class Attempt {
        private final SimulatedNode node;
        private final String verb;
        private final Function<RaftLog, CompletableFuture<Void>> change;
        private final String doneAlready;
        private final Runnable then;
        private boolean isOver;

        Attempt(
                SimulatedNode node,
                String verb,
                Function<RaftLog, CompletableFuture<Void>> change,
                String doneAlready,
                Runnable then) {
            this.node = node;
            this.verb = verb;
            this.change = change;
            this.doneAlready = doneAlready;
            this.then = then;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the failure
        void start(SimulatedNode asked) {
            world.line(() -> "operator: " + asked + " " + verb + " " + node);
            asked.call((log, server) -> change.apply(log)
                    .whenComplete((nothing, failure) -> world.time().after(0, () -> onEnd(failure))));
            int lives = asked.lives();
            world.time().after(CALL_TIMEOUT_NANOS, () -> onEnd(new IllegalStateException("no answer")));
            checkLater(asked, lives);
        }

        private void checkLater(SimulatedNode asked, int lives) {
            world.time().after(FaultPlan.SECOND, () -> {
                if (asked.lives() != lives || !asked.isRunning()) {
                    onEnd(new IllegalStateException("the node has ended"));
                } else if (!isOver) {
                    checkLater(asked, lives);
                }
            });
        }

        private void onEnd(@Nullable Throwable failure) {
            if (isOver) {
                return;
            }
            isOver = true;
            if (failure == null || String.valueOf(failure.getMessage()).contains(doneAlready)) {
                world.line(() -> "operator: done, " + verb + " " + node);
                then.run();
            } else {
                world.line(() -> "operator: " + failure.getMessage());
                if (String.valueOf(failure.getMessage()).contains("cannot remove the leader")) {
                    node.call((log, server) -> log.transferLeadership());
                }
                world.count(ServiceSituation.CHANGE_REFUSED);
                ask(node, verb, change, doneAlready, then);
            }
        }
    }
}
