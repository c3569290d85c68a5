package habemus.service.http;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.name.NameRule;
import habemus.service.server.Principal;
import habemus.service.server.Principal.Permission;
import java.util.stream.Collectors;

/** The error responses that have to do with tickets, for both kinds of nodes. */
final class TicketErrors {

    private TicketErrors() {}

    /** @param target what was requested, for example "lock 'orders'" */
    static ApiException busy(String target, boolean isElection, long waitMillis) {
        return new ApiException(
                409,
                "busy",
                target + " not granted within " + waitMillis + " ms",
                isElection ? "see the leader with GET /leaders/NAME" : "see the holder with GET /locks/NAME");
    }

    /** @param names that the client has no right to use, if that is the reason */
    static ApiException rejected(OperationResult.RejectionReason rejectionReason, String names, Principal client) {
        return switch (rejectionReason) {
            case SIZE_MISMATCH ->
                new ApiException(
                        409,
                        "size-mismatch",
                        "semaphore is in use with another size",
                        "see it with GET /semaphores/NAME");
            case INVALID_COMBINATION ->
                ApiException.badRequest(
                        "invalid combination of names", "name each lock once, and acquire an election alone");
            case FORBIDDEN -> forbidden("use " + names, client);
            case LIMIT_EXCEEDED ->
                new ApiException(
                        429, "limit-exceeded", "too many waiters, or too many names in one request", "retry later");
            case INVALID_NAME -> ApiException.badRequest("invalid name", NameRule.HINT);
            case NO_CANDIDATE, NOT_LEADER ->
                new ApiException(409, "no-candidate", "no candidate has this name", "list them with GET /leaders/NAME");
            default -> quotaFull(rejectionReason);
        };
    }

    private static ApiException quotaFull(OperationResult.RejectionReason reason) {
        return reason == OperationResult.RejectionReason.HEAP_FULL
                ? new ApiException(
                        429,
                        "quota-full",
                        "the memory of the node is nearly full",
                        "release what is not needed, or start the nodes with a larger heap")
                : new ApiException(
                        429,
                        "quota-full",
                        "quota '" + reason.quota() + "' is full",
                        "release what is not needed, or start the nodes with a higher quota: habemus serve --quota "
                                + reason.quota() + "=N");
    }

    /** @param action that the policy does not allow the client, such as {@code use lock 'orders'} */
    static ApiException forbidden(String action, Principal client) {
        return new ApiException(
                403,
                "forbidden",
                "no right to " + action + " as '" + client.name() + "'",
                "ask an operator to grant it in the policy file");
    }

    /** {@code lock 'a', lock 'b'} */
    static String namesWithoutRight(Operation.Acquire operation, Principal client) {
        return operation.shares().stream()
                .map(ResourceShare::name)
                .filter(name -> !client.isAllowed(Permission.USE, name))
                .map(name -> name.kind() + " '" + name.text() + "'")
                .collect(Collectors.joining(", "));
    }

    static ApiException noMajority() {
        return new ApiException(
                503,
                "no-majority",
                "outcome unknown: no majority of the nodes responded in time",
                "retry with the same ticket; see the nodes with GET /status");
    }

    /** For a ticket that was released, or lost, before this request for it. */
    static ApiException ended(String state) {
        return new ApiException(410, state, "ticket has ended: " + state, "acquire with a new ticket");
    }

    static ApiException inUse(String ticket) {
        return new ApiException(
                409,
                "ticket-in-use",
                "ticket is in use for something else: " + ticket,
                "choose another id, or omit it");
    }

    /** For a request that was delayed so long that its ticket may have ended and been forgotten. */
    static ApiException tooLate() {
        return new ApiException(
                409, "too-late", "request was delayed: its ticket may have ended", "acquire with a new ticket");
    }

    static ApiException fenceMismatch(String target, long fence) {
        return new ApiException(
                409,
                "fence-mismatch",
                "not held with fence " + fence + ": " + target,
                "see it with GET /tickets/TICKET");
    }

    /** For a thread that was interrupted while it waited. Restores its interrupt status. */
    static ApiException interrupted() {
        Thread.currentThread().interrupt();
        return stopping();
    }

    static ApiException stopping() {
        return new ApiException(503, "stopping", "node is stopping", "use another node");
    }

    static ApiException nodeFailed() {
        return new ApiException(503, "failed", "node has stopped after a failure", "see its log for the cause");
    }

    static ApiException tooManyClients() {
        return new ApiException(
                429, "limit-exceeded", "too many clients at this node", "use another node, or retry later");
    }

    static ApiException clientDisconnected() {
        return new ApiException(499, "client-disconnected", "client closed the connection", "retry");
    }

    static ApiException unknown() {
        return ApiException.notFound("unknown ticket", "acquire again: it was never issued, or it has ended");
    }

    static ApiException wrongKind(boolean isElection) {
        return isElection
                ? new ApiException(409, "kind-mismatch", "ticket is for an election", "use resign instead of release")
                : new ApiException(409, "kind-mismatch", "ticket is for a lock", "use release instead of resign");
    }

    /**
     * For a request that needs a held ticket.
     *
     * @param target what the ticket is for, for example "lock 'orders'"
     */
    static ApiException notHeld(String target, String state) {
        if (state.equals("waiting")) {
            return new ApiException(
                    409, "waiting", "not granted yet: " + target, "wait for the response to the acquire request");
        }
        var message = switch (state) {
            case "expired" -> "lease expired: " + target;
            case "lost" -> "lost or revoked: " + target;
            case "stopping" -> "node is stopping: " + target;
            default -> "already released: " + target;
        };
        return new ApiException(410, state, message, "stop using what it protects");
    }
}
