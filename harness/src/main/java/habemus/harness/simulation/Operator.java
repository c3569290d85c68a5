package habemus.harness.simulation;

import habemus.service.log.ReplicatedLog;
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
    private static final int MAX_ADDITIONS = 6;
    private static final long CALL_TIMEOUT_NANOS = 25 * FaultPlan.SECOND;

    /** After the end of a run, a change that is not finished has so much more time: a call and its repetition. */
    static final long PATIENCE_NANOS = CALL_TIMEOUT_NANOS + 15 * FaultPlan.SECOND;

    private final ServiceWorld world;
    private final SplittableRandom random;
    private final List<SimulatedNode> unfinished = new ArrayList<>();
    private boolean hasChangedMembers;

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

    /** Whether a node was removed or added before. Peers forget a member that is removed. */
    boolean hasChangedMembers() {
        return hasChangedMembers;
    }

    /** Removes a node that does not run, and lets it join again with an empty folder. */
    void replace(SimulatedNode node) {
        if (!unfinished.contains(node)) {
            unfinished.add(node);
            hasChangedMembers = true;
            removeAndJoin(node);
        }
    }

    private void removeAndJoin(SimulatedNode node) {
        remove(node, () -> {
            node.retire();
            node.startJoining();
            add(node);
        });
    }

    /** Starts a node that is no member, and adds it. */
    void join(SimulatedNode node) {
        unfinished.add(node);
        hasChangedMembers = true;
        node.startJoining();
        add(node);
    }

    /** Removes a node from the cluster for ever. */
    void dismiss(SimulatedNode node) {
        unfinished.add(node);
        remove(node, () -> {
            unfinished.remove(node);
            node.retire();
        });
    }

    private void remove(SimulatedNode node, Runnable then) {
        var removal = new Change(node, "removes", log -> log.removeMember(node.id()), () -> {
            world.count(ServiceSituation.MEMBER_GONE);
            then.run();
        });
        ask(removal, 0);
    }

    private void add(SimulatedNode node) {
        var member = SimulatedNode.member(node.id().number());
        var addition = new Change(node, "adds", log -> log.addMember(member), () -> {
            world.count(ServiceSituation.MEMBER_JOINED);
            unfinished.remove(node);
        });
        ask(addition, 0);
    }

    /** What to ask of a node, and what to do when it is done. */
    private record Change(
            SimulatedNode node, String verb, Function<ReplicatedLog, CompletableFuture<Void>> call, Runnable then) {

        boolean isRemoval() {
            return verb.equals("removes");
        }

        @Override
        public String toString() {
            return verb + " " + node;
        }
    }

    /** Asks one node after the other until the change is done. A node that is refused too often starts over. */
    private void ask(Change change, int attempts) {
        if (attempts > MAX_ADDITIONS && !change.isRemoval()) {
            removeAndJoin(change.node);
            return;
        }
        long patience = random.nextLong(MIN_PATIENCE_NANOS, MAX_PATIENCE_NANOS);
        world.time().after(patience, () -> {
            var asked = randomOther(change.node);
            if (asked.isPresent()) {
                new Attempt(change, attempts).start(asked.get());
            } else {
                ask(change, attempts);
            }
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
        private final Change change;
        private final int number;
        private boolean isOver;

        Attempt(Change change, int number) {
            this.change = change;
            this.number = number;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the failure
        void start(SimulatedNode asked) {
            world.line(() -> "operator: " + asked + " " + change);
            asked.call((log, server) -> change.call
                    .apply(log)
                    .whenComplete((nothing, failure) -> world.time().after(0, () -> onEnd(failure))));
            world.time().after(CALL_TIMEOUT_NANOS, () -> onEnd(new IllegalStateException("no answer")));
            checkLater(asked, asked.lives());
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
            var refusal = failure == null ? "" : String.valueOf(failure.getMessage());
            if (refusal.isEmpty() || change.isRemoval() && refusal.contains("is not a member")) {
                world.line(() -> "operator: done, " + change);
                change.then.run();
                return;
            }
            world.line(() -> "operator: " + refusal);
            world.count(ServiceSituation.CHANGE_REFUSED);
            if (refusal.contains("cannot remove the leader")) {
                change.node.transferLeadership();
            }
            ask(change, number + 1);
        }
    }
}
