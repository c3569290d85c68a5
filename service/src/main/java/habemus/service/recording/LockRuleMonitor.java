package habemus.service.recording;

import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.AcquireState;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.Notification;
import habemus.lockservice.table.ResourceState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks every {@link LockRule}, command by command. It relies on what tables contain, not on how they change. */
final class LockRuleMonitor {

    private final Map<RequestId, Long> fences = new HashMap<>(); // of the grants of open sessions
    private final Map<LockRule, String> violations = new EnumMap<>(LockRule.class);
    private long highestFence;
    private long grants;

    /** The first violation of each rule that is violated. */
    Map<LockRule, String> violations() {
        return violations;
    }

    long grants() {
        return grants;
    }

    /** Applies a batch to a table, and returns the table after it. */
    LockTable apply(LockTable table, CommandBatch batch) {
        var now = table;
        for (Command command : batch.commands()) {
            var applied = now.apply(new CommandBatch(batch.timestampMillis(), List.of(command)));
            check(command, now, applied.table(), applied.notifications());
            now = applied.table();
        }
        return now;
    }

    private void check(Command command, LockTable before, LockTable after, List<Notification> notifications) {
        long highestBefore = highestFence;
        for (Notification notification : notifications) {
            switch (notification) {
                case Notification.Result(var session, var number, OperationResult.Granted(var fence)) -> {
                    var request = new RequestId(session, number);
                    if (!(before.acquireState(request).orElse(null) instanceof AcquireState.Holding)) {
                        onGrant(request, fence, highestBefore);
                        checkQueues(command, request, before, after);
                    }
                }
                case Notification.ResourceChanged(var name) -> checkUnits(name, after);
                case Notification.SessionExpired(var session) ->
                    fences.keySet().removeIf(request -> request.session() == session);
                default -> {}
            }
        }
    }

    private void onGrant(RequestId request, long fence, long highestBefore) {
        grants++;
        if (fence <= highestBefore) {
            violate(LockRule.FENCES_GROW, request + " was granted with fence " + fence + " after " + highestBefore);
        }
        highestFence = Math.max(highestFence, fence);
        var earlier = fences.put(request, fence);
        if (earlier != null) {
            violate(LockRule.EXACTLY_ONCE, request + " was granted with fence " + earlier + " and " + fence);
        }
    }

    private void checkUnits(ResourceName name, LockTable after) {
        after.resources().get(name).ifPresent(resource -> {
            long used = 0;
            for (var holder : resource.holders().keys()) {
                used += resource.holders().get(holder).orElseThrow();
            }
            if (used > resource.size()) {
                violate(
                        LockRule.FENCED_EXCLUSION,
                        name + " has " + resource.size() + " units, and its holders have " + used);
            }
        });
    }

    /** A transfer names its candidate; every other grant follows the queues. */
    private void checkQueues(Command command, RequestId request, LockTable before, LockTable after) {
        boolean isTransfer =
                command instanceof Command.AdminCommand admin && admin.action() instanceof Command.AdminAction.Transfer
                        || command instanceof Command.Submit submit && submit.operation() instanceof Operation.Transfer;
        if (isTransfer) {
            return;
        }
        for (ResourceName name : namesOf(after, request)) {
            for (RequestId waiter : waitersAhead(name, request, before)) {
                if (after.acquireState(waiter).orElse(null) instanceof AcquireState.Waiting) {
                    violate(LockRule.FIFO_WAITERS, request + " was granted " + name + " before " + waiter);
                }
            }
        }
    }

    private static List<ResourceName> namesOf(LockTable table, RequestId request) {
        return table.acquireState(request).stream()
                .flatMap(state -> state.shares().stream())
                .map(share -> share.name())
                .toList();
    }

    /** All waiters, if the request did not wait itself. */
    private static List<RequestId> waitersAhead(ResourceName name, RequestId request, LockTable before) {
        var ahead = new ArrayList<RequestId>();
        for (RequestId waiter : before.resources().get(name).map(ResourceState::queue).stream()
                .flatMap(queue -> queue.values().stream())
                .toList()) {
            if (waiter.equals(request)) {
                break;
            }
            ahead.add(waiter);
        }
        return ahead;
    }

    /** A node replies to a client. */
    void onReply(Message.ServerReply reply) {
        if (reply instanceof Message.Result(var session, var number, OperationResult.Granted(var fence))) {
            var request = new RequestId(session, number);
            var known = fences.putIfAbsent(request, fence);
            if (known != null && known != fence) {
                violate(LockRule.EXACTLY_ONCE, request + " got the replies " + known + " and " + fence);
            }
        }
    }

    private void violate(LockRule rule, String description) {
        violations.putIfAbsent(rule, description);
    }
}
