package habemus.service.server;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.service.server.Principal.Permission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What is refused at the door, before anybody else is bothered with it. */
record AdmissionControl(ServerLimits serverLimits) {

    /** @param served how many sessions this node has already */
    Optional<ClientFrame.ConnectionRejected> checkOpen(Message.OpenSession openSession, int served) {
        if (!isValid(openSession.client())) {
            return Optional.of(new ClientFrame.ConnectionRejected(
                    "wrong-name",
                    "a client's name and host have from 1 to " + serverLimits.nameLength() + " characters",
                    "give the client a shorter name"));
        }
        if (openSession.lease().compareTo(serverLimits.minLease()) < 0
                || openSession.lease().compareTo(serverLimits.maxLease()) > 0) {
            return Optional.of(new ClientFrame.ConnectionRejected(
                    "wrong-lease",
                    "a lease is from " + format(serverLimits.minLease()) + " to " + format(serverLimits.maxLease())
                            + ", not " + format(openSession.lease()),
                    "ask for another lease"));
        }
        return served < serverLimits.sessions()
                ? Optional.empty()
                : Optional.of(new ClientFrame.ConnectionRejected(
                        "too-many-sessions",
                        "this node has " + served + " sessions, and serves no more",
                        "connect to another node, or raise the limit"));
    }

    private boolean isValid(ClientInfo clientInfo) {
        return isValid(clientInfo.name()) && isValid(clientInfo.host());
    }

    private boolean isValid(String name) {
        return !name.isBlank() && name.length() <= serverLimits.nameLength();
    }

    private static String format(Duration time) {
        return time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /** What is wrong with it whatever the table says: it is refused the same, however often and wherever asked. */
    Optional<RejectionReason> checkSubmit(Message.Submit submit, Principal principal) {
        if (submit.number() - submit.acknowledgedUpTo() > requestWindow(submit.operation())) {
            return Optional.of(RejectionReason.LIMIT_EXCEEDED);
        }
        return switch (submit.operation()) {
            case Operation.Acquire acquire -> checkAcquire(acquire.shares(), principal);
            case Operation.Transfer(var claim, var to) ->
                isValid(to) ? Optional.empty() : Optional.of(RejectionReason.INVALID_NAME);
            case Operation.Release release -> Optional.empty();
            case Operation.Close close -> Optional.empty();
        };
    }

    /**
     * Whoever may not ask for more can still give back all it has, each once, and go: what would be refused here is
     * lost to everybody until the lease ends.
     */
    private long requestWindow(Operation operation) {
        return switch (operation) {
            case Operation.Acquire acquire -> serverLimits.requestWindow();
            case Operation.Transfer transfer -> serverLimits.requestWindow();
            case Operation.Release release -> (long) serverLimits.requestWindow() + serverLimits.acquiresPerSession();
            case Operation.Close close -> Long.MAX_VALUE;
        };
    }

    private Optional<RejectionReason> checkAcquire(List<ResourceShare> resourceShares, Principal principal) {
        if (resourceShares.size() > serverLimits.sharesPerRequest()) {
            return Optional.of(RejectionReason.LIMIT_EXCEEDED);
        }
        for (var resourceShare : resourceShares) {
            if (!isValid(resourceShare.resourceName().text())) {
                return Optional.of(RejectionReason.INVALID_NAME);
            }
            if (!principal.isAllowed(Permission.USE, resourceShare.resourceName())) {
                return Optional.of(RejectionReason.FORBIDDEN);
            }
        }
        return Optional.empty();
    }

    /**
     * Whether there is no room for it, as far as one can see. The same request may be in the log already, though not in
     * this table: so it cannot be refused, only called off there, where it is decided which came first.
     */
    boolean exceedsLimits(Message.Submit submit, LockTable lockTable) {
        if (!(submit.operation() instanceof Operation.Acquire acquire)) {
            return false;
        }
        boolean known = lockTable
                .sessions()
                .get(submit.session())
                .filter(sessionEntry -> sessionEntry.acquires().contains(submit.number())
                        || sessionEntry.results().contains(submit.number()))
                .isPresent();
        boolean many = lockTable
                .sessions()
                .get(submit.session())
                .filter(sessionEntry -> sessionEntry.acquires().size() >= serverLimits.acquiresPerSession())
                .isPresent();
        return !known
                && (many
                        || acquire.waitInQueue()
                                && acquire.shares().stream().anyMatch(w -> isQueueFull(w.resourceName(), lockTable)));
    }

    private boolean isQueueFull(ResourceName resourceName, LockTable lockTable) {
        return lockTable
                .resources()
                .get(resourceName)
                .filter(resourceState -> resourceState.queue().size() >= serverLimits.waitersPerResource())
                .isPresent();
    }
}
