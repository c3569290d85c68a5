package habemus.service.server;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.name.NameRule;
import habemus.lockservice.name.PrintableText;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.service.server.Principal.Permission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Rejects requests that exceed a limit or lack a permission, before they reach the lock server. */
record AdmissionControl(ServerLimits limits, HeapGuard heap) {

    /** @param localSessions number of sessions that this node serves already */
    Optional<ClientFrame.ConnectionRejected> checkOpen(Message.OpenSession openSession, int localSessions) {
        var client = openSession.client();
        if (!isValid(client)) {
            return Optional.of(new ClientFrame.ConnectionRejected(
                    "invalid-name",
                    "invalid name, host or owner of the client: '" + PrintableText.escape(client.name()) + "', '"
                            + PrintableText.escape(client.host()) + "', '" + PrintableText.escape(client.owner())
                            + "'",
                    NameRule.HINT));
        }
        if (openSession.lease().compareTo(limits.minLease()) < 0
                || openSession.lease().compareTo(limits.maxLease()) > 0) {
            return Optional.of(new ClientFrame.ConnectionRejected(
                    "invalid-lease",
                    "the lease must be from " + format(limits.minLease()) + " to " + format(limits.maxLease())
                            + ", was " + format(openSession.lease()),
                    "choose another lease"));
        }
        return localSessions < limits.sessions()
                ? Optional.empty()
                : Optional.of(new ClientFrame.ConnectionRejected(
                        "too-many-sessions",
                        "this node serves " + localSessions + " sessions, which is its limit",
                        "connect to another node"));
    }

    private boolean isValid(ClientInfo clientInfo) {
        return isValid(clientInfo.name())
                && isValid(clientInfo.host())
                && (clientInfo.owner().isEmpty() || isValid(clientInfo.owner()));
    }

    private boolean isValid(String name) {
        return NameRule.isValid(name) && name.length() <= limits.nameLength();
    }

    private static String format(Duration time) {
        return time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /**
     * A session needs the permission to use something. The connection of a client without it stays open, because the
     * client may inspect.
     */
    Optional<RejectionReason> checkSession(Principal principal) {
        return !principal.isAllowedAnywhere(Permission.USE)
                ? Optional.of(RejectionReason.FORBIDDEN)
                : heap.isNearlyFull() ? Optional.of(RejectionReason.HEAP_FULL) : Optional.empty();
    }

    /** Checks that do not depend on the lock table: every node gives the same result, however often it is asked. */
    Optional<RejectionReason> checkSubmit(Message.Submit submit, Principal principal) {
        if (submit.number() - submit.acknowledgedUpTo() > requestWindow(submit.operation())) {
            return Optional.of(RejectionReason.LIMIT_EXCEEDED);
        }
        return switch (submit.operation()) {
            case Operation.Acquire acquire -> checkAcquire(acquire.shares(), principal);
            case Operation.Transfer(var request, var to) ->
                isValid(to) ? Optional.empty() : Optional.of(RejectionReason.INVALID_NAME);
            case Operation.Release release -> Optional.empty();
            case Operation.Close close -> Optional.empty();
            case Operation.Abandon abandon -> Optional.empty();
        };
    }

    /**
     * A session at its limit may still release everything that it holds, and close. If this node rejected these
     * requests, the locks would stay held until the lease ends.
     */
    private long requestWindow(Operation operation) {
        return switch (operation) {
            case Operation.Acquire acquire -> limits.requestWindow();
            case Operation.Transfer transfer -> limits.requestWindow();
            case Operation.Release release -> (long) limits.requestWindow() + limits.acquiresPerSession();
            case Operation.Close close -> Long.MAX_VALUE;
            case Operation.Abandon abandon -> Long.MAX_VALUE;
        };
    }

    private Optional<RejectionReason> checkAcquire(List<ResourceShare> shares, Principal principal) {
        if (shares.size() > limits.sharesPerRequest()) {
            return Optional.of(RejectionReason.LIMIT_EXCEEDED);
        }
        for (var share : shares) {
            if (!isValid(share.name().text())) {
                return Optional.of(RejectionReason.INVALID_NAME);
            }
            if (!principal.isAllowed(Permission.USE, share.name())) {
                return Optional.of(RejectionReason.FORBIDDEN);
            }
        }
        return Optional.empty();
    }

    /**
     * Which limit an acquire exceeds, by this node's table. The same request may be in the log already, and not yet
     * in this table. So the node must not reject it, but proposes its cancellation: the log decides which came first.
     */
    Optional<RejectionReason> exceededLimit(Message.Submit submit, LockTable lockTable) {
        if (!(submit.operation() instanceof Operation.Acquire acquire)) {
            return Optional.empty();
        }
        boolean isKnown = lockTable
                .sessions()
                .get(submit.session())
                .filter(session -> session.acquires().contains(submit.number())
                        || session.results().contains(submit.number()))
                .isPresent();
        boolean hasTooManyAcquires = lockTable
                .sessions()
                .get(submit.session())
                .filter(session -> session.acquires().size() >= limits.acquiresPerSession())
                .isPresent();
        boolean isQueueFull = acquire.waitInQueue()
                && acquire.shares().stream().anyMatch(share -> isQueueFull(share.name(), lockTable));
        if (isKnown) {
            return Optional.empty();
        }
        return hasTooManyAcquires || isQueueFull
                ? Optional.of(RejectionReason.LIMIT_EXCEEDED)
                : heap.isNearlyFull() ? Optional.of(RejectionReason.HEAP_FULL) : Optional.empty();
    }

    private boolean isQueueFull(ResourceName resourceName, LockTable lockTable) {
        return lockTable
                .resources()
                .get(resourceName)
                .filter(resource -> resource.queue().size() >= limits.waitersPerResource())
                .isPresent();
    }
}
