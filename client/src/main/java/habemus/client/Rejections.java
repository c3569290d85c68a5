package habemus.client;

import habemus.lockservice.OperationResult;
import habemus.lockservice.protocol.ClientFrame;
import java.util.Locale;

/** What the service means by no. */
final class Rejections {

    private Rejections() {}

    static RequestRejectedException of(OperationResult.RejectionReason rejectionReason, String what) {
        var code = rejectionReason.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return switch (rejectionReason) {
            case SIZE_MISMATCH ->
                new RequestRejectedException(
                        code,
                        what + " is in use with another size",
                        "a semaphore has the same size for all, and a lock is no semaphore");
            case INVALID_COMBINATION ->
                new RequestRejectedException(
                        code,
                        what + " cannot be had together",
                        "name at least one, each once, and elections on their own");
            case NO_CANDIDATE ->
                new RequestRejectedException(
                        code, "nobody of that name is a candidate: " + what, "the name is that of its client");
            case NOT_LEADER ->
                new RequestRejectedException(
                        code, what + " is not led by this client", "only who leads can hand it on");
            case FORBIDDEN ->
                new RequestRejectedException(
                        code, "this client has no right to " + what, "ask for the right, or use another token");
            case LIMIT_EXCEEDED ->
                new RequestRejectedException(
                        code, "too many wait for " + what + ", or this client asks too much at once", "try later");
            case INVALID_NAME ->
                new RequestRejectedException(code, what + " is no good name", "it is empty, or too long");
        };
    }

    static RequestRejectedException of(ClientFrame.ConnectionRejected connectionRejected) {
        return new RequestRejectedException(
                connectionRejected.code(), connectionRejected.message(), connectionRejected.hint());
    }
}
