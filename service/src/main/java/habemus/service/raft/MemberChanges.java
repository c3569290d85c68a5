package habemus.service.raft;

import habemus.concurrent.EventLoop;
import habemus.protocol.LogCall;
import habemus.protocol.LogReply;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.ProposalRejectedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the members, one at a time. The leader first commits the address of a new member, adds it as a learner,
 * and promotes it when it has caught up. Other nodes send their requests to the leader. Used by the thread of the log
 * only.
 */
final class MemberChanges {

    private static final long TIMEOUT_NANOS = Duration.ofSeconds(20).toNanos();

    /** What a change needs of the log. */
    interface Log {

        /** Whether a connected node wants to join. */
        boolean isJoining(NodeId node);

        /** The data folder of a connected node. */
        long folder(NodeId node);

        /** Appends the address of a connected node, with the data folder that it has, as the leader of this term. */
        CompletableFuture<Void> appendAddress(NodeId node, String address);

        /** Sends the request to the leader. False if no other node leads. */
        boolean forward(LogFrame.ChangeMembers request);
    }

    /** Receives the outcome of a change. */
    interface Outcome {
        /** @param refusal empty if the change is committed */
        void accept(String refusal, boolean isIndeterminate);
    }

    /** The change that this node carries out as the leader. */
    private record Current(NodeId node, Outcome outcome, long deadlineNanos, boolean isWaitingForLearner) {}

    private record Request(CompletableFuture<Void> done, long deadlineNanos) {}

    private final NodeId self;
    private final EventLoop loop;
    private final RaftDriver driver;
    private final MemberDirectory directory;
    private final Log log;
    private final Map<Long, Request> requests = new TreeMap<>(); // that were sent to the leader
    private @Nullable Current current;
    private long nextNumber = 1;

    MemberChanges(NodeId self, EventLoop loop, RaftDriver driver, MemberDirectory directory, Log log) {
        this.self = self;
        this.loop = loop;
        this.driver = driver;
        this.directory = directory;
        this.log = log;
    }

    /** A change that this node is asked for. */
    void submit(NodeId node, String address, CompletableFuture<Void> done) {
        long number = nextNumber++;
        var request = new LogFrame.ChangeMembers(
                number, node, address, directory.addresses().folder(node));
        if (driver.canAppend()) {
            request(request, (refusal, isIndeterminate) -> complete(done, refusal, isIndeterminate));
        } else if (log.forward(request)) {
            requests.put(number, new Request(done, loop.nanoTime() + TIMEOUT_NANOS));
        } else {
            complete(done, "no leader: no majority of the nodes is connected", false);
        }
    }

    private static void complete(CompletableFuture<Void> done, String refusal, boolean isIndeterminate) {
        if (refusal.isEmpty()) {
            done.complete(null);
        } else {
            done.completeExceptionally(
                    isIndeterminate
                            ? new IndeterminateOutcomeException(refusal)
                            : new ProposalRejectedException(refusal));
        }
    }

    /** The leader has answered. */
    void onReply(long number, String refusal, boolean isIndeterminate) {
        var request = requests.remove(number);
        if (request != null) {
            complete(request.done(), refusal, isIndeterminate);
        }
    }

    /** Carries out a change as the leader. */
    void request(LogFrame.ChangeMembers request, Outcome outcome) {
        var refusal = refusal(request);
        if (refusal.isPresent()) {
            refuse(refusal.get(), outcome);
            return;
        }
        var change = new Current(request.member(), outcome, loop.nanoTime() + TIMEOUT_NANOS, false);
        current = change;
        if (request.address().isEmpty()) {
            driver.changeMembers(new LogCall.Remove(request.member()), this::finish);
        } else {
            add(change, request.address());
        }
    }

    /** A leader that was replaced may not know the members: it must not say that a node is none. */
    private void refuse(String refusal, Outcome outcome) {
        driver.confirmLeadership(
                reply -> outcome.accept(reply instanceof LogReply.ReadAt ? refusal : "not the leader: retry", false));
    }

    private Optional<String> refusal(LogFrame.ChangeMembers request) {
        if (!driver.canAppend()) {
            return Optional.of("not the leader: retry");
        }
        if (current != null || !driver.isConfigurationCommitted()) {
            return Optional.of("another membership change is in progress: retry later");
        }
        return request.address().isEmpty()
                ? refusalToRemove(request.member(), request.folder())
                : refusalToAdd(request.member(), request.address());
    }

    private Optional<String> refusalToAdd(NodeId node, String address) {
        var configuration = directory.configuration();
        boolean isElsewhere = directory
                .addresses()
                .find(node)
                .filter(known -> !known.text().equals(address))
                .isPresent();
        if (configuration.members().contains(node) && isElsewhere) {
            return Optional.of("node is already a member at another address: " + node);
        }
        boolean isExpected = configuration.members().contains(node) || log.isJoining(node);
        if (!directory.present().with(self).contains(node) || !isExpected) {
            return Optional.of("node is not connected: " + node + " (start it with --join first)");
        }
        if (configuration.members().contains(node) && hasOtherFolder(node)) {
            return Optional.of("node is a member already, with other data: " + node + " (remove it first)");
        }
        return refusalWithout(configuration.voters().with(node));
    }

    /** A connection may be dead without this node knowing: the member has been removed and has joined again since. */
    private boolean hasOtherFolder(NodeId member) {
        long folder = directory.addresses().folder(member);
        return folder != AddressBook.UNKNOWN_FOLDER && folder != log.folder(member);
    }

    /** A request may be late. It must not remove a member that was removed since, and has joined again. */
    private Optional<String> refusalToRemove(NodeId node, long folder) {
        var configuration = directory.configuration();
        if (!configuration.members().contains(node)) {
            return Optional.of("node is not a member: " + node);
        }
        if (directory.addresses().folder(node) != folder) {
            return Optional.of("node has joined again, or the asked node lags: " + node + " (retry)");
        }
        if (node.equals(self)) {
            return Optional.of("cannot remove the leader: " + node + " (stop it first)");
        }
        return refusalWithout(configuration.voters().without(node));
    }

    /** A change that leaves no connected majority would end the service. */
    private Optional<String> refusalWithout(NodeSet voters) {
        var connected = voters.intersection(directory.present().with(self));
        return connected.size() > voters.size() / 2
                ? Optional.empty()
                : Optional.of("no majority of " + voters + " would be connected: only " + connected
                        + " (start the other nodes first)");
    }

    /** If this node leads again, the address may be committed after the change has ended. The change stays ended. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the failure
    private void add(Current change, String address) {
        var node = change.node();
        log.appendAddress(node, address).whenComplete((nothing, failed) -> {
            if (!change.equals(current)) {
                return;
            }
            if (failed != null) {
                end(String.valueOf(failed.getMessage()), failed instanceof IndeterminateOutcomeException);
            } else if (directory.configuration().voters().contains(node)) {
                end("", false);
            } else if (directory.configuration().learners().contains(node)) {
                waitForLearner();
            } else {
                driver.changeMembers(new LogCall.AddLearner(node), reply -> {
                    if (reply instanceof LogReply.Committed) {
                        waitForLearner();
                    } else {
                        finish(reply);
                    }
                });
            }
        });
    }

    private void waitForLearner() {
        var change = current;
        if (change != null) {
            current = new Current(change.node(), change.outcome(), change.deadlineNanos(), true);
        }
    }

    /** Promotes the learner when it has caught up. */
    void onTick() {
        var change = current;
        if (change != null && loop.nanoTime() - change.deadlineNanos() > 0) {
            end("outcome unknown: the change was not committed in time", true);
        } else if (change != null && change.isWaitingForLearner()) {
            driver.changeMembers(new LogCall.Promote(change.node()), reply -> {
                boolean isEarly = reply instanceof LogReply.Rejected(var reason, var leader)
                        && (reason == LogReply.Reason.NOT_CAUGHT_UP || reason == LogReply.Reason.CHANGE_IN_PROGRESS);
                if (!isEarly) {
                    finish(reply);
                }
            });
        }
        var late = requests.entrySet().stream()
                .filter(request -> loop.nanoTime() - request.getValue().deadlineNanos() > 0)
                .map(Map.Entry::getKey)
                .toList();
        late.forEach(number -> onReply(number, "outcome unknown: the leader did not answer in time", true));
    }

    private void finish(LogReply reply) {
        switch (reply) {
            case LogReply.Committed committed -> end("", false);
            case LogReply.Rejected(var reason, var leader) -> end(text(reason), false);
            case LogReply.Indeterminate unknown -> end("outcome unknown: the leader changed", true);
            case LogReply.ReadAt read -> throw new IllegalStateException("unexpected reply: " + read);
        }
    }

    private static String text(LogReply.Reason reason) {
        return switch (reason) {
            case NOT_LEADER, TRANSFER_IN_PROGRESS -> "not the leader: retry";
            case CHANGE_IN_PROGRESS -> "another membership change is in progress: retry later";
            case NOT_CAUGHT_UP -> "the new member has not caught up: retry later";
            case INVALID_CHANGE -> "the change would not change the members, or remove the last one";
            case OVERWRITTEN -> "not committed: the leader changed";
        };
    }

    private void end(String refusal, boolean isIndeterminate) {
        var change = current;
        current = null;
        if (change != null) {
            change.outcome().accept(refusal, isIndeterminate);
        }
    }

    /** Another leader knows nothing of the requests that the former one got. */
    void onLeaderChanged(boolean isSelf) {
        List.copyOf(requests.keySet()).forEach(number -> onReply(number, "outcome unknown: the leader changed", true));
        if (!isSelf) {
            end("outcome unknown: the leader changed", true);
        }
    }
}
