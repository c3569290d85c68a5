package habemus.client;

import habemus.lockservice.OperationResult;
import habemus.lockservice.name.NameRule;
import habemus.lockservice.protocol.ClientFrame;
import java.util.Locale;

/** Converts rejections of the service to exceptions. */
final class Rejections {

    private static final String QUOTA_FULL = "quota-full";

    private Rejections() {}

    static RequestRejectedException of(OperationResult.RejectionReason reason, String request) {
        var code = reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return switch (reason) {
            case SIZE_MISMATCH ->
                new RequestRejectedException(
                        code,
                        "size mismatch: " + request + " is in use with another size",
                        "use the same size in all clients");
            case INVALID_COMBINATION ->
                new RequestRejectedException(
                        code,
                        "invalid combination: " + request,
                        "name at least one resource, each once, and elections alone");
            case NO_CANDIDATE ->
                new RequestRejectedException(
                        code, "no such candidate: " + request, "use the client name of a waiting candidate");
            case NOT_LEADER ->
                new RequestRejectedException(
                        code, "not the leader: " + request, "only the leader can transfer leadership");
            case FORBIDDEN ->
                new RequestRejectedException(
                        code,
                        "no right to use " + request + " with this token or certificate",
                        "use another token, or change the policy of the service");
            case LIMIT_EXCEEDED ->
                new RequestRejectedException(
                        code,
                        "limit exceeded: " + request + " (too many waiters, or too many open requests of this client)",
                        "try again later");
            case INVALID_NAME -> new RequestRejectedException(code, "invalid name: " + request, NameRule.HINT);
            default -> quotaFull(reason, request);
        };
    }

    private static RequestRejectedException quotaFull(OperationResult.RejectionReason reason, String request) {
        return reason == OperationResult.RejectionReason.HEAP_FULL
                ? new RequestRejectedException(
                        QUOTA_FULL,
                        "the memory of the node is nearly full: " + request,
                        "release what is not needed, or start the nodes with a larger heap")
                : new RequestRejectedException(
                        QUOTA_FULL,
                        "quota '" + reason.quota() + "' is full: " + request,
                        "release what is not needed, or start the nodes with a higher quota: habemus serve --quota "
                                + reason.quota() + "=N");
    }

    static RequestRejectedException of(ClientFrame.ConnectionRejected rejection) {
        return new RequestRejectedException(rejection.code(), rejection.message(), rejection.hint());
    }
}
